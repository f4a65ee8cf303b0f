// SPDX-License-Identifier: MIT
// Calls functions of HSA's extensions for images and for the finalizer. Where the runtime lacks the
// extension its functions return an error; they are calls all the same.
#include <hsa/hsa_ext_finalize.h>
#include <hsa/hsa_ext_image.h>

#include <cstdio>

#include "hsa_support.h"

using namespace programs;

int main() {
  HSA_CHECK(hsa_init());
  Machine machine;
  HSA_CHECK(hsa_iterate_agents(AddAgent, &machine));
  const hsa_ext_image_format_t format = {HSA_EXT_IMAGE_CHANNEL_TYPE_UNORM_INT8,
                                         HSA_EXT_IMAGE_CHANNEL_ORDER_RGBA};
  uint32_t capabilities = 0;
  const hsa_status_t image =
      hsa_ext_image_get_capability(machine.gpu, HSA_EXT_IMAGE_GEOMETRY_2D, &format, &capabilities);
  hsa_ext_program_t program = {};
  const hsa_status_t made =
      hsa_ext_program_create(HSA_MACHINE_MODEL_LARGE, HSA_PROFILE_BASE,
                             HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, nullptr, &program);
  if (made == HSA_STATUS_SUCCESS) HSA_CHECK(hsa_ext_program_destroy(program));
  std::printf("images 0x%x, finalizer 0x%x\n", static_cast<unsigned>(image),
              static_cast<unsigned>(made));
  HSA_CHECK(hsa_shut_down());
  return 0;
}
