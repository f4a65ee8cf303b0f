// SPDX-License-Identifier: MIT
#include "counters/yaml.h"

#include <string.h>

namespace rtl::counters {
namespace {

using Kind = YamlNode::Kind;

bool IsSpace(char c) { return c == ' ' || c == '\t'; }
bool IsEnd(char c) { return c == '\n' || c == '\r' || c == '\0'; }

// The cursor is on a character; `column` is the character's place in its line. At the end of the
// text the character is '\0'.
class Reader {
 public:
  Reader(std::string_view text, Arena* arena)
      : begin_(text.data()), end_(text.data() + text.size()), at_(begin_), arena_(arena) {}

  Status Read(const YamlNode** root) {
    *root = Next() ? Node(-1) : Make();
    if (!failed_ && Next()) Fail("unexpected text at the end");
    return error_;
  }

 private:
  char Here() const { return at_ < end_ ? *at_ : '\0'; }
  char After(size_t n) const { return n < static_cast<size_t>(end_ - at_) ? at_[n] : '\0'; }
  int Column() const { return static_cast<int>(at_ - line_start_); }

  YamlNode* Fail(const char* why) {
    if (!failed_) error_ = Status::Error("line %u: %s", line_, why);
    failed_ = true;
    at_ = end_;
    return nullptr;
  }
  YamlNode* Make() {
    auto* const node = arena_->New<YamlNode>();
    if (node == nullptr) return Fail("there is no memory");
    node->line = line_;
    return node;
  }
  void Step() {
    if (*at_++ == '\n') {
      ++line_;
      line_start_ = at_;
    }
  }
  void SkipLine() {
    while (at_ < end_ && *at_ != '\n') ++at_;
  }

  // Goes to the next character that is not white space, a comment or a document's mark. False:
  // there is none.
  bool Next() {
    while (at_ < end_) {
      const char c = *at_;
      if (c == '\t' && TabIndents()) {
        Fail("a tab indents");
        return false;
      }
      if (c == '#' && (at_ == line_start_ || IsSpace(at_[-1]))) {
        SkipLine();
      } else if (at_ == line_start_ && StartsMark("---")) {
        at_ += 3;
        if (seen_) {
          Fail("a second document begins");
          return false;
        }
      } else if (at_ == line_start_ && StartsMark("...")) {
        at_ = end_;
      } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
        Step();
      } else {
        seen_ = true;
        return !failed_;
      }
    }
    return false;
  }
  bool TabIndents() const {
    for (const char* c = line_start_; c < at_; ++c) {
      if (*c != ' ') return false;
    }
    size_t n = 0;
    while (IsSpace(After(n))) ++n;
    return !in_flow_ && !IsEnd(After(n)) && After(n) != '#';
  }
  bool StartsMark(std::string_view mark) const {
    return StartsAt(at_, mark) && (IsEnd(After(mark.size())) || IsSpace(After(mark.size())));
  }
  // Whether the character there is a colon after a key.
  bool IsColon(size_t n = 0) const {
    return After(n) == ':' && (IsSpace(After(n + 1)) || IsEnd(After(n + 1)));
  }
  bool IsItem() const { return Here() == '-' && (IsSpace(After(1)) || IsEnd(After(1))); }

  // Whether a key begins here: `name:`, on one line.
  bool IsKey() const {
    size_t n = 0;
    if (const char quote = Here(); quote == '"' || quote == '\'') {
      for (n = 1; !IsEnd(After(n)) && After(n) != quote; ++n) {
        if (quote == '"' && After(n) == '\\') ++n;
      }
      if (After(n) != quote) return false;
      for (++n; IsSpace(After(n)); ++n) {
      }
      return IsColon(n);
    }
    if (strchr("[{|>", Here()) != nullptr) return false;
    for (; !IsEnd(After(n)); ++n) {
      if (IsColon(n)) return true;
      if (n != 0 && After(n) == '#' && IsSpace(After(n - 1))) return false;
    }
    return false;
  }

  // Reads the node at this position, a child of the node at column `parent`.
  YamlNode* Node(int parent) {
    if (failed_) return nullptr;
    if (++depth_ > kMostYamlDepth) return Fail("it is nested too deeply");
    YamlNode* const node = IsItem() ? List() : IsKey() ? Map() : Scalar(parent);
    --depth_;
    return node;
  }

  YamlNode* List() {
    YamlNode* const list = Make();
    if (list == nullptr) return nullptr;
    list->kind = Kind::kList;
    const int column = Column();
    YamlNode** last = &list->child;
    do {
      ++at_;
      *last = Value(column);
      if (*last == nullptr) return nullptr;
      last = &(*last)->next;
    } while (Next() && Column() == column && IsItem());
    return EndOf(list, column);
  }

  YamlNode* Map() {
    YamlNode* const map = Make();
    if (map == nullptr) return nullptr;
    map->kind = Kind::kMap;
    const int column = Column();
    YamlNode** last = &map->child;
    do {
      const std::string_view key = Key();
      if (failed_) return nullptr;
      if (map->Find(key) != nullptr) return Fail("a key appears twice in one mapping");
      YamlNode* const value = Value(column, true);
      if (value == nullptr) return nullptr;
      value->key = key;
      *last = value;
      last = &value->next;
    } while (Next() && Column() == column && !IsItem() && IsKey());
    return EndOf(map, column);
  }

  YamlNode* EndOf(YamlNode* node, int column) {
    if (failed_) return nullptr;
    if (at_ < end_ && !in_flow_ && Column() > column) return Fail("the indentation is wrong");
    return node;
  }

  std::string_view Key() {
    std::string_view key;
    if (Here() == '"' || Here() == '\'') {
      key = Quoted();
      while (IsSpace(Here())) ++at_;
    } else {
      const char* const from = at_;
      while (!IsColon()) ++at_;
      const std::string_view text = TrimmedFrom(from);
      if (!text.empty() && strchr("&*!%@`", text[0]) != nullptr)
        Fail("anchors and tags are not supported");
      key = arena_->Copy(text);
    }
    if (!failed_) ++at_;  // skips the colon
    return key;
  }

  // The text from there to the cursor, without spaces at its end.
  std::string_view TrimmedFrom(const char* from) const {
    const char* to = at_;
    while (to > from && IsSpace(to[-1])) --to;
    return {from, static_cast<size_t>(to - from)};
  }

  // Reads the value after a dash, or after the colon of a key.
  YamlNode* Value(int column, bool of_key = false) {
    while (IsSpace(Here())) ++at_;
    const uint32_t line = line_;
    if (!IsEnd(Here()) && !(Here() == '#' && IsSpace(at_[-1]))) {
      if (of_key && (IsItem() || IsKey())) return Fail("a mapping begins after a key's colon");
      return Node(column);
    }
    if (!Next()) return failed_ ? nullptr : Make();
    const bool inside = Column() > column || (of_key && Column() == column && IsItem());
    if (inside && line != line_) return Node(column);
    return Make();
  }

  YamlNode* Scalar(int parent) {
    const char c = Here();
    if (c == '[' || c == '{') {
      const bool outer = !in_flow_;
      in_flow_ = true;
      YamlNode* const node = Flow();
      if (outer) in_flow_ = false;
      return failed_ ? nullptr : EndOfLine(node);
    }
    YamlNode* const node = Make();
    if (node == nullptr) return nullptr;
    if (c == '|' || c == '>') {
      node->text = Block(parent);
    } else if (c == '"' || c == '\'') {
      node->text = Quoted();
      return failed_ ? nullptr : EndOfLine(node);
    } else {
      node->text = Plain(parent);
    }
    return failed_ ? nullptr : node;
  }
  YamlNode* EndOfLine(YamlNode* node) {
    while (IsSpace(Here())) ++at_;
    if (IsEnd(Here()) || (Here() == '#' && IsSpace(at_[-1]))) return node;
    return Fail("unexpected text after a value");
  }

  // Reads `[a, b]` or `{a: b}`.
  YamlNode* Flow() {
    if (++depth_ > kMostYamlDepth) return Fail("it is nested too deeply");
    YamlNode* const node = Make();
    if (node == nullptr) return nullptr;
    const char close = Here() == '[' ? ']' : '}';
    node->kind = close == ']' ? Kind::kList : Kind::kMap;
    ++at_;
    YamlNode** last = &node->child;
    for (;;) {
      if (!Next()) return Fail("a bracket is not closed");
      if (Here() == close) break;
      std::string_view key;
      if (close == '}') {
        key = FlowText();
        if (!Next() || Here() != ':') return Fail("a key without a colon");
        ++at_;
        if (!Next()) return Fail("a bracket is not closed");
      }
      *last = Here() == '[' || Here() == '{' ? Flow() : FlowScalar();
      if (*last == nullptr) return nullptr;
      (*last)->key = key;
      last = &(*last)->next;
      if (!Next()) return Fail("a bracket is not closed");
      if (Here() == ',')
        ++at_;
      else if (Here() != close)
        return Fail("neither a comma nor a bracket");
    }
    ++at_;
    --depth_;
    return node;
  }
  YamlNode* FlowScalar() {
    YamlNode* const node = Make();
    if (node == nullptr) return nullptr;
    node->text = FlowText();
    return failed_ ? nullptr : node;
  }
  std::string_view FlowText() {
    if (Here() == '"' || Here() == '\'') return Quoted();
    const char* const from = at_;
    while (!IsEnd(Here()) && strchr(",[]{}", Here()) == nullptr && !IsColon()) ++at_;
    const std::string_view text = TrimmedFrom(from);
    if (text.empty()) Fail("a value is missing");
    return arena_->Copy(text);
  }

  // A text that is put together from lines. It is never longer than the source it comes from.
  struct Text {
    char* out;
    size_t size = 0;
    void Put(char c) { out[size++] = c; }
    void Trim(size_t keep) {
      while (size > keep && IsSpace(out[size - 1])) --size;
    }
    std::string_view view() {
      out[size] = '\0';
      return {out, size};
    }
  };
  Text NewText() {
    if (scratch_ == nullptr) scratch_ = arena_->Bytes(static_cast<size_t>(end_ - at_) + 2);
    if (scratch_ == nullptr) Fail("there is no memory");
    return {static_cast<char*>(scratch_)};
  }

  std::string_view Plain(int parent) {
    if (strchr("&*!%@`", Here()) != nullptr) Fail("anchors and tags are not supported");
    Text text = NewText();
    for (uint32_t breaks = 0; !failed_;) {
      PutBreaks(&text, breaks, true);
      while (!IsEnd(Here()) && !(Here() == '#' && IsSpace(at_[-1]))) {
        if (IsColon()) Fail("a mapping begins inside a value");
        if (failed_) return {};
        text.Put(*at_++);
      }
      text.Trim(0);
      if (Here() == '#') break;
      breaks = ToContinuation(parent);
      if (breaks == 0) break;
    }
    return failed_ ? std::string_view() : arena_->Copy(text.view());
  }
  // Goes to the next line of the same plain value. Returns the number of line breaks passed; zero:
  // the value has ended.
  uint32_t ToContinuation(int parent) {
    const char* look = at_;
    uint32_t breaks = 0;
    const char* start = at_;
    while (look < end_ && (*look == '\n' || *look == '\r' || IsSpace(*look))) {
      if (*look == '\n') {
        ++breaks;
        start = look + 1;
      }
      ++look;
    }
    if (look == end_ || breaks == 0 || *look == '#' || look - start <= parent) return 0;
    if (look == start && parent < 0 && (StartsAt(look, "---") || StartsAt(look, "..."))) return 0;
    while (at_ < look) Step();
    return breaks;
  }
  bool StartsAt(const char* at, std::string_view mark) const {
    return std::string_view(at, static_cast<size_t>(end_ - at)).starts_with(mark);
  }

  std::string_view Quoted() {
    const char quote = *at_++;
    Text text = NewText();
    size_t keep = 0;
    while (!failed_ && (Here() != quote || (quote == '\'' && After(1) == '\''))) {
      if (at_ >= end_) {
        Fail("a quote is not closed");
      } else if (*at_ == '\n' || *at_ == '\r') {
        Fold(&text, keep);
      } else if (quote == '"' && *at_ == '\\') {
        Escape(&text);
        keep = text.size;
      } else {
        if (quote == '\'' && *at_ == '\'') ++at_;
        text.Put(*at_);
        Step();
      }
    }
    if (failed_) return {};
    ++at_;
    return arena_->Copy(text.view());
  }
  // Reads line breaks inside quotes. One becomes a space; of several, the first is dropped.
  void Fold(Text* text, size_t keep) {
    text->Trim(keep);
    uint32_t breaks = 0;
    while (at_ < end_ && (*at_ == '\n' || *at_ == '\r' || IsSpace(*at_))) {
      if (*at_ == '\n') ++breaks;
      Step();
    }
    PutBreaks(text, breaks, true);
  }
  void Escape(Text* text) {
    static constexpr std::string_view kLetters = "nt\\\"/0r ";
    static constexpr char kMeanings[] = {'\n', '\t', '\\', '"', '/', '\0', '\r', ' '};
    const char c = After(1);
    at_ += 1;
    if (c == '\n') {
      while (at_ < end_ && (*at_ == '\n' || IsSpace(*at_))) Step();
      return;
    }
    const size_t place = kLetters.find(c);
    if (at_ >= end_ || place == std::string_view::npos) {
      Fail("an unsupported escape");
      return;
    }
    text->Put(kMeanings[place]);
    ++at_;
  }

  // Reads a block scalar. `|` keeps line breaks, `>` folds them.
  std::string_view Block(int parent) {
    const bool folds = *at_++ == '>';
    char chomp = ' ';
    if (Here() == '-' || Here() == '+') chomp = *at_++;
    while (IsSpace(Here())) ++at_;
    if (Here() == '#') SkipLine();
    if (Here() == '\r') ++at_;
    if (at_ < end_ && *at_ != '\n') {
      Fail("indentation indicators are not supported");
      return {};
    }
    if (at_ < end_) Step();
    Text text = NewText();
    if (failed_) return {};
    int indent = -1;
    uint32_t breaks = 0;
    bool first = true, more = false;
    while (at_ < end_) {
      const char* look = at_;
      while (look < end_ && *look == ' ') ++look;
      const int spaces = static_cast<int>(look - at_);
      if (look == end_ || *look == '\n' || *look == '\r') {
        at_ = look;
        while (at_ < end_ && *at_ != '\n') ++at_;
        if (at_ < end_) Step();
        ++breaks;
        continue;
      }
      if (spaces <= parent || (indent >= 0 && spaces < indent)) break;
      if (indent < 0) indent = spaces;
      at_ += indent;
      const bool deeper = IsSpace(Here());
      PutBreaks(&text, breaks, folds && !first && !more && !deeper);
      more = deeper;
      first = false;
      while (at_ < end_ && *at_ != '\n') {
        if (*at_ != '\r') text.Put(*at_);
        ++at_;
      }
      breaks = 0;
      if (at_ < end_) {
        Step();
        breaks = 1;
      }
    }
    if (chomp == '+')
      PutBreaks(&text, breaks, false);
    else if (chomp == ' ' && breaks != 0 && !first)
      text.Put('\n');
    return arena_->Copy(text.view());
  }
  static void PutBreaks(Text* text, uint32_t breaks, bool folds) {
    if (folds && breaks == 1) return text->Put(' ');
    for (uint32_t i = folds ? 1 : 0; i < breaks; ++i) text->Put('\n');
  }

  const char* const begin_;
  const char* const end_;
  const char* at_;
  const char* line_start_ = begin_;
  Arena* const arena_;
  void* scratch_ = nullptr;
  uint32_t line_ = 1;
  uint32_t depth_ = 0;
  bool in_flow_ = false;
  bool seen_ = false;
  bool failed_ = false;
  Status error_ = Status::Ok();
};

}  // namespace

Status ReadYaml(std::string_view text, Arena* arena, const YamlNode** root) {
  *root = nullptr;
  if (text.size() > kMostYamlBytes)
    return Status::Error("it has more than %zu bytes", kMostYamlBytes);
  if (text.find('\0') != std::string_view::npos) return Status::Error("it is not text");
  return Reader(text, arena).Read(root);
}

}  // namespace rtl::counters
