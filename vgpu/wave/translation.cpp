// SPDX-License-Identifier: MIT
#include "vgpu/wave/translation.h"

#include <dlfcn.h>

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "vgpu/config/config.h"
#include "vgpu/config/log.h"
#include "vgpu/mem/address_space.h"
#include "vgpu/queue/device_thread.h"
#include "vgpu/wave/decode.h"
#include "vgpu/wave/handlers.h"
#include "vgpu/wave/isa.h"

namespace vgpu {
namespace {

constexpr size_t kEntries = 4096;
constexpr uint32_t kHot = 100;  // times a thread interprets a block before it asks for its code
constexpr uint32_t kMaxInstructions = 1024;
constexpr size_t kMaxBlocks = 50'000;  // whose code is kept
constexpr size_t kBatch = 32;

// The bits of MODE that blocks depend on: rounding, denormals, clamp, IEEE.
constexpr uint32_t kModeOfBlock = 0x3ff;

constexpr int kFromConfiguration = -1;
std::atomic<int> g_mode{kFromConfiguration};
std::atomic<bool> g_failed{false};  // the library could not translate
bool g_left_behind = false;         // set in a forked child, which does not translate

void Replay(Wave* wave, ExecutionContext* context, const Instruction* first, uint32_t count,
            uint32_t chunk, uint16_t* masks, const uint8_t* codes, uint32_t mask_count) {
  constexpr uint32_t kChunks = kLanes / kChunkLanes;
  uint32_t sgpr[kSgprSlots];
  std::memcpy(sgpr, wave->sgpr, sizeof sgpr);
  const bool scc = wave->scc;
  const uint64_t lanes = ((uint64_t{1} << kChunkLanes) - 1) << kChunkLanes * chunk;
  wave->set_exec(wave->exec() & lanes);
  for (uint32_t i = 0; i < count; ++i) first[i].handler(*wave, first[i], *context);
  for (uint32_t i = 0; i < mask_count; ++i) {
    masks[i * kChunks + chunk] =
        static_cast<uint16_t>(wave->Sgpr64(codes[i]) >> kChunkLanes * chunk);
  }
  std::memcpy(wave->sgpr, sgpr, sizeof sgpr);
  wave->scc = scc;
}

// ---- The library

// Beside libvgpu.so, or in ../lib as seen from a test program.
void* OpenLibrary() {
  Dl_info info;
  if (dladdr(reinterpret_cast<const void*>(&OpenLibrary), &info) == 0) return nullptr;
  std::string folder = info.dli_fname;
  const size_t slash = folder.rfind('/');
  folder = slash == std::string::npos ? "." : folder.substr(0, slash);
  for (const char* place : {"/libvgpu_jit.so", "/../lib/libvgpu_jit.so"}) {
    if (void* library = dlopen((folder + place).c_str(), RTLD_NOW | RTLD_LOCAL)) return library;
  }
  return nullptr;
}

// nullptr: there is no library.
TranslateFunction GetTranslate() {
  static const auto kTranslate = [] {
    void* const library = OpenLibrary();
    void* const symbol = library == nullptr ? nullptr : dlsym(library, kTranslatorSymbol);
    return reinterpret_cast<TranslateFunction>(symbol);
  }();
  return kTranslate;
}

void TranslatorFailed(const char* why);

// False when the library cannot translate at all.
bool TranslateBlocks(const std::vector<TranslatedBlock*>& blocks, char* why, uint32_t why_bytes) {
  const TranslateFunction translate = GetTranslate();
  if (translate == nullptr) return false;
  std::vector<BlockSource> sources;
  std::vector<BlockFunction> functions(blocks.size());
  for (const TranslatedBlock* block : blocks) {
    sources.push_back({block->instructions.data(), block->common.data(),
                       static_cast<uint32_t>(block->instructions.size()), block->mode, block->pc});
  }
  TranslateRequest request;
  request.wave_bytes = sizeof(Wave);
  request.blocks = sources.data();
  request.count = static_cast<uint32_t>(sources.size());
  request.replay = Replay;
  request.functions = functions.data();
  request.failed = TranslatorFailed;
  if (!translate(request, why, why_bytes)) return false;
  for (size_t i = 0; i < blocks.size(); ++i) {
    blocks[i]->function.store(functions[i], std::memory_order_release);
  }
  return true;
}

// ---- The blocks of the process, and the thread that translates them

class Translations {
 public:
  // The block with that code. A missing one is created and queued. nullptr: translation is not
  // possible. `wait`: returns when the block is translated.
  TranslatedBlock* Request(int gpu, uint64_t pc, uint32_t mode, bool wait);
  // Ends translation for good and logs `why`.
  void Break(const char* why);

 private:
  void BreakLocked(const char* why);
  TranslatedBlock* KnownOrQueuedLocked(std::unique_ptr<TranslatedBlock> fresh);
  void Work();

  std::mutex mutex_;
  std::condition_variable queued_;
  std::condition_variable done_;
  // Guarded by mutex_.
  std::map<std::pair<uint64_t, uint32_t>, std::vector<std::unique_ptr<TranslatedBlock>>> blocks_;
  std::vector<TranslatedBlock*> queue_;
  size_t count_ = 0;
  bool broken_ = false;
  bool has_thread_ = false;
};

std::atomic<Translations*> g_translations{nullptr};

Translations& GetTranslations() {
  Translations* known = g_translations.load(std::memory_order_acquire);
  if (known != nullptr) return *known;
  auto* fresh = new Translations;
  if (g_translations.compare_exchange_strong(known, fresh, std::memory_order_acq_rel))
    return *fresh;
  delete fresh;
  return *known;
}

void TranslatorFailed(const char* why) { GetTranslations().Break(why); }

TranslatedBlock* Translations::KnownOrQueuedLocked(std::unique_ptr<TranslatedBlock> fresh) {
  auto& same_place = blocks_[{fresh->pc, fresh->mode}];
  for (const auto& block : same_place) {
    if (block->code == fresh->code) return block.get();
  }
  if (count_ == kMaxBlocks) return nullptr;
  ++count_;
  TranslatedBlock* block = fresh.get();
  same_place.push_back(std::move(fresh));
  queue_.push_back(block);
  has_thread_ = has_thread_ || StartDeviceThread("vgpu-jit", [this] { Work(); });
  if (!has_thread_) {
    BreakLocked("there is no thread for it");
    return nullptr;
  }
  queued_.notify_one();
  return block;
}

TranslatedBlock* Translations::Request(int gpu, uint64_t pc, uint32_t mode, bool wait) {
  std::unique_ptr<TranslatedBlock> fresh = DecodeBlock(gpu, pc, mode);
  if (fresh->instructions.empty()) return nullptr;
  std::unique_lock lock(mutex_);
  if (broken_) return nullptr;
  TranslatedBlock* block = KnownOrQueuedLocked(std::move(fresh));
  if (block != nullptr && wait) {
    done_.wait(lock, [&] {
      return broken_ || block->function.load(std::memory_order_relaxed) != nullptr;
    });
  }
  return block;
}

void Translations::Break(const char* why) {
  std::lock_guard lock(mutex_);
  BreakLocked(why);
}

void Translations::BreakLocked(const char* why) {
  Log(LogLevel::kError, "kernels are interpreted, not translated as --jit asks for: %s", why);
  broken_ = true;
  g_failed.store(true, std::memory_order_relaxed);
  done_.notify_all();
}

void Translations::Work() {
  std::unique_lock lock(mutex_);
  while (!broken_) {
    queued_.wait(lock, [this] { return !queue_.empty(); });
    const auto end = queue_.begin() + static_cast<ptrdiff_t>(std::min(queue_.size(), kBatch));
    const std::vector<TranslatedBlock*> batch(queue_.begin(), end);
    queue_.erase(queue_.begin(), end);
    lock.unlock();
    char why[512] =
        "there is no libvgpu_jit.so beside libvgpu.so; it is built where llvm-15-dev is installed";
    const bool works = TranslateBlocks(batch, why, sizeof why);
    if (!works) Break(why);
    lock.lock();
    done_.notify_all();
  }
}

// ---- Decoding

// The code after such an instruction is another block.
bool EndsBlock(const Instruction& in) {
  switch (in.format) {
    case Format::kSopp:
      return in.opcode != isa::SOPP_s_nop && in.opcode != isa::SOPP_s_waitcnt &&
             in.opcode != isa::SOPP_s_setprio;
    case Format::kSopc:
      return in.opcode == isa::SOPC_s_set_gpr_idx_on;
    case Format::kSop1:
      return in.opcode == isa::SOP1_s_setpc_b64 || in.opcode == isa::SOP1_s_swappc_b64 ||
             in.opcode == isa::SOP1_s_rfe_b64;
    case Format::kSopk:
      return in.opcode == isa::SOPK_s_call_b64 || in.opcode == isa::SOPK_s_setreg_b32 ||
             in.opcode == isa::SOPK_s_setreg_imm32_b32;
    default:
      return false;
  }
}

// What an instruction does to memory that other waves see, by its name.
struct MemoryUse {
  bool reads = false;
  bool writes = false;
};

MemoryUse MemoryUseOf(const Instruction& in) {
  if (in.format == Format::kFlat && in.segment == Segment::kScratch) return {};
  const std::string_view name = OpcodeName(in.format, in.opcode);
  const auto has = [&](std::string_view part) { return name.find(part) != name.npos; };
  switch (in.format) {
    case Format::kFlat:
    case Format::kMubuf:
    case Format::kSmem:
      if (has("_atomic_")) return {in.glc, true};
      return {has("_load_"), has("_store_") || in.lds};
    case Format::kDs:
      if (has("permute") || has("swizzle") || has("gws") || has("nop")) return {};
      if (has("ds_read")) return {true, false};
      return {has("_rtn") || has("_ret"), true};
    default:
      return {};
  }
}

bool IsWait(const Instruction& in) {
  return in.format == Format::kSopp && in.opcode == isa::SOPP_s_waitcnt;
}

bool ReadWord(int gpu, uint64_t va, uint32_t* word) {
  const uint8_t* host = Translate(gpu, va, sizeof *word);
  if (host == nullptr) return false;
  std::memcpy(word, host, sizeof *word);
  return true;
}

bool DecodeAt(int gpu, uint64_t pc, Instruction* out) {
  uint32_t first = 0;
  uint32_t second = 0;
  if (!ReadWord(gpu, pc, &first)) return false;
  if (EncodedDwords(first) == 2 && !ReadWord(gpu, pc + sizeof first, &second)) return false;
  *out = Decode(first, second);
  return WhyNotExecuted(*out) == nullptr;
}

}  // namespace

std::unique_ptr<TranslatedBlock> DecodeBlock(int gpu, uint64_t pc, uint32_t mode) {
  auto block = std::make_unique<TranslatedBlock>();
  block->pc = pc;
  block->mode = mode;
  Instruction in;
  while (block->instructions.size() < kMaxInstructions && DecodeAt(gpu, pc, &in)) {
    const MemoryUse use = MemoryUseOf(in);
    block->ends_turn = (block->reads && use.writes) || (block->writes && IsWait(in));
    if (block->ends_turn) break;
    block->reads = block->reads || use.reads;
    block->writes = block->writes || use.writes;
    const uint32_t bytes = in.dwords * sizeof(uint32_t);
    const auto* words = reinterpret_cast<const uint8_t*>(in.words);
    block->code.insert(block->code.end(), words, words + bytes);
    block->common.push_back(IsReplaced(GetIsa(), in.format, in.opcode) ? 0 : 1);
    ++block->class_counts[static_cast<size_t>(in.counted_as)];
    if (const Handler faster = FasterHandler(in)) in.handler = faster;
    block->instructions.push_back(in);
    pc += bytes;
    if (EndsBlock(in)) break;
  }
  return block;
}

JitMode GetJitMode() {
  static const JitMode kConfigured = [] {
    const std::string& jit = GetConfig().jit;
    return jit == "on" ? JitMode::kOn : jit == "auto" ? JitMode::kAuto : JitMode::kOff;
  }();
  if (g_left_behind) return JitMode::kOff;
  const int mode = g_mode.load(std::memory_order_relaxed);
  return mode == kFromConfiguration ? kConfigured : static_cast<JitMode>(mode);
}

bool CanTranslate() {
  return GetTranslate() != nullptr && !g_failed.load(std::memory_order_relaxed);
}

ScopedJit::ScopedJit(JitMode mode) { g_mode.store(static_cast<int>(mode)); }
ScopedJit::~ScopedJit() { g_mode.store(kFromConfiguration); }

BlockTable::BlockTable() : entries_(new Entry[kEntries]) {}

bool BlockTable::CodeIsSame(Entry& entry, const ExecutionContext& context) const {
  if (entry.checked == slice_) [[likely]]
    return true;
  const std::vector<uint8_t>& code = entry.block->code;
  const uint8_t* host = Translate(context.gpu, entry.pc, code.size());
  if (host == nullptr || std::memcmp(host, code.data(), code.size()) != 0) return false;
  entry.checked = slice_;
  return true;
}

const TranslatedBlock* BlockTable::Find(const Wave& wave, const ExecutionContext& context) {
  if ((wave.mode & kModeGprIndex) != 0) return nullptr;
  const uint32_t mode = wave.mode & kModeOfBlock;
  Entry& entry = entries_[wave.pc >> 2 & (kEntries - 1)];
  if (entry.pc != wave.pc || entry.mode != mode) {
    entry = Entry();
    entry.pc = wave.pc;
    entry.mode = mode;
  }
  if (entry.block == nullptr) {
    const bool wait = GetJitMode() == JitMode::kOn;
    ++entry.heat;
    if (!(wait ? entry.heat == 1 : entry.heat % kHot == 0)) return nullptr;
    entry.block = GetTranslations().Request(context.gpu, entry.pc, mode, wait);
    if (entry.block == nullptr) return nullptr;
  }
  if (entry.block->function.load(std::memory_order_acquire) == nullptr) return nullptr;
  if (!CodeIsSame(entry, context)) [[unlikely]] {
    entry = Entry();
    return nullptr;
  }
  return entry.block;
}

uint32_t RunBlock(const TranslatedBlock& block, Wave& wave, ExecutionContext& context,
                  uint32_t budget, bool* stop) {
  const BlockFunction function = block.function.load(std::memory_order_relaxed);
  const uint64_t result = function(&wave, &context, budget);
  uint32_t passes = static_cast<uint32_t>(result >> 32);
  uint32_t partial = static_cast<uint32_t>(result) >> 1;
  *stop = (result & 1) != 0;
  if (partial == block.instructions.size()) {  // stopped at the last one: a whole pass
    ++passes;
    partial = 0;
  }
  if (passes != 0) {
    for (size_t i = 0; i < kInstructionClasses; ++i) {
      context.counts[i] += uint64_t{block.class_counts[i]} * passes;
    }
  }
  for (uint32_t i = 0; i < partial; ++i) {
    ++context.counts[static_cast<size_t>(block.instructions[i].counted_as)];
  }
  return passes * static_cast<uint32_t>(block.instructions.size()) + partial;
}

// The translator thread may hold locks at a fork, so that the child continues without translation.
void ForgetTranslations() {
  if (g_translations.exchange(nullptr, std::memory_order_relaxed) != nullptr) g_left_behind = true;
}

}  // namespace vgpu
