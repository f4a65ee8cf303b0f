// SPDX-License-Identifier: MIT
#include <rocprofiler-sdk/intercept_table.h>

#include "sdk/intercept_tables.h"
#include "sdk/kinds.h"
#include "sdk/library.h"

using rtl::sdk::Library;

extern "C" {

rocprofiler_status_t rocprofiler_query_intercept_table_name(rocprofiler_intercept_table_t kind,
                                                            const char** name, uint64_t* name_len) {
  return rtl::sdk::AnswerName(rtl::sdk::InterceptTables::NameOf(kind),
                              ROCPROFILER_STATUS_ERROR_KIND_NOT_FOUND, name, name_len);
}

rocprofiler_status_t rocprofiler_at_intercept_table_registration(
    rocprofiler_intercept_library_cb_t callback, int libs, void* data) {
  Library* const library = Library::Get();
  if (library == nullptr) return ROCPROFILER_STATUS_ERROR_OUT_OF_RESOURCES;
  return library->AtTableRegistration(callback, libs, data);
}

}  // extern "C"
