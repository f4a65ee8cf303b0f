// SPDX-License-Identifier: MIT
// libvgpu_jit.so: host code of decoded instructions, by LLVM. Its one entry point is VgpuTranslate.
//
// Threads    one at a time (the caller's translator thread)
// Memory     code lives as long as the process
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/ErrorHandling.h>
#include <llvm/Support/Host.h>
#include <llvm/Support/TargetSelect.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "vgpu/jit/block_emitter.h"

namespace vgpu::jit {
namespace {

using llvm::orc::LLJIT;

std::string TextOf(llvm::Error error) { return llvm::toString(std::move(error)); }

struct Translator {
  std::unique_ptr<LLJIT> jit;
  std::string why;  // why translation is not possible
  int modules = 0;
};

llvm::Expected<std::unique_ptr<LLJIT>> MakeJit() {
  auto builder = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!builder) return builder.takeError();
  const llvm::StringMap<bool> features = [] {
    llvm::StringMap<bool> found;
    llvm::sys::getHostCPUFeatures(found);
    return found;
  }();
  if (!features.lookup("avx2") || !features.lookup("fma") || !features.lookup("f16c")) {
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   "the processor has no AVX2, FMA and F16C");
  }
  builder->setCodeGenOptLevel(llvm::CodeGenOpt::Less);
  // Without this, products and sums that round separately could be fused.
  builder->getOptions().AllowFPOpFusion = llvm::FPOpFusion::Strict;
  return llvm::orc::LLJITBuilder().setJITTargetMachineBuilder(std::move(*builder)).create();
}

void (*g_failed)(const char* why) = nullptr;

// LLVM's handler of fatal errors. It never returns, because LLVM would then end the application's
// process.
void Park(void*, const char* why, bool) {
  g_failed(why);
  for (;;) pause();
}

Translator& GetTranslator() {
  static Translator* const kTranslator = [] {
    auto* translator = new Translator;
    llvm::install_fatal_error_handler(Park);
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    auto jit = MakeJit();
    if (jit) {
      translator->jit = std::move(*jit);
    } else {
      translator->why = TextOf(jit.takeError());
    }
    return translator;
  }();
  return *kTranslator;
}

bool Translate(const TranslateRequest& request, std::string* why) {
  if (request.version != kTranslatorVersion || request.wave_bytes != sizeof(Wave)) {
    *why = "libvgpu_jit.so is not of this build";
    return false;
  }
  g_failed = request.failed;
  Translator& translator = GetTranslator();
  if (translator.jit == nullptr) {
    *why = translator.why;
    return false;
  }
  const std::string prefix = "b" + std::to_string(translator.modules++) + "_";
  auto context = std::make_unique<llvm::LLVMContext>();
  auto module = std::make_unique<llvm::Module>(prefix, *context);
  module->setDataLayout(translator.jit->getDataLayout());
  for (uint32_t i = 0; i < request.count; ++i) {
    request.functions[i] = nullptr;
    BlockEmitter emitter(*module, request.blocks[i], request.replay, prefix + std::to_string(i));
    emitter.Emit();
  }
  if (std::getenv("VGPU_JIT_DUMP") != nullptr) module->print(llvm::errs(), nullptr);
  llvm::raw_string_ostream problem(*why);
  if (llvm::verifyModule(*module, &problem)) return false;
  const auto add = [&] {
    return translator.jit->addIRModule(
        llvm::orc::ThreadSafeModule(std::move(module), std::move(context)));
  };
  if (llvm::Error error = add()) {
    *why = TextOf(std::move(error));
    return false;
  }
  for (uint32_t i = 0; i < request.count; ++i) {
    auto found = translator.jit->lookup(prefix + std::to_string(i));
    if (!found) {
      *why = TextOf(found.takeError());
      return false;
    }
    request.functions[i] = reinterpret_cast<BlockFunction>(found->getValue());
  }
  return true;
}

}  // namespace
}  // namespace vgpu::jit

// LLVM's static objects are never destroyed: the translator thread may be using them when the
// process ends. The linker sends this library's calls of __cxa_atexit here.
extern "C" int __wrap___cxa_atexit(void (*)(void*), void*, void*) { return 0; }

extern "C" [[gnu::visibility("default")]] bool VgpuTranslate(const vgpu::TranslateRequest& request,
                                                             char* why, uint32_t why_bytes) {
  std::string reason;
  const bool done = vgpu::jit::Translate(request, &reason);
  if (!done) std::snprintf(why, why_bytes, "%s", reason.c_str());
  return done;
}
