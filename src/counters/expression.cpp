// SPDX-License-Identifier: MIT
#include "counters/expression.h"

#include <stdio.h>

namespace rtl::counters {
namespace {

bool IsNameStart(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }

struct DimensionWord {
  std::string_view word;
  CounterDimension dimension;
};
constexpr DimensionWord kDimensions[] = {{"XCC", CounterDimension::kXcc},
                                         // The name in AMD's library.
                                         {"XCD", CounterDimension::kXcc},
                                         {"AID", CounterDimension::kAid},
                                         {"SHADER_ENGINE", CounterDimension::kEngine},
                                         {"SE", CounterDimension::kEngine},
                                         {"AGENT", CounterDimension::kAgent},
                                         {"SHADER_ARRAY", CounterDimension::kArray},
                                         {"SA", CounterDimension::kArray},
                                         {"WGP", CounterDimension::kWgp},
                                         {"INSTANCE", CounterDimension::kInstance}};

class Parser {
 public:
  Parser(std::string_view text, Arena* arena) : text_(text), arena_(arena) {}

  Status Parse(Expression** out) {
    *out = Sum();
    if (!failed_ && Skip() != '\0') Fail("an operator or the end is expected");
    return error_;
  }

 private:
  char Skip() {
    while (at_ < text_.size() && strchr(" \t\r\n", text_[at_]) != nullptr) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool Consume(char c) {
    if (Skip() != c) return false;
    ++at_;
    return true;
  }
  void Need(char c) {
    if (Consume(c)) return;
    char why[32];
    snprintf(why, sizeof why, "\"%c\" is expected", c);
    Fail(why);
  }
  Expression* Fail(const char* why) {
    if (!failed_)
      error_ =
          Status::Error("%s at character %zu of \"%.*s\"", why, at_ + 1,
                        static_cast<int>(text_.size() < 100 ? text_.size() : 100), text_.data());
    failed_ = true;
    at_ = text_.size();
    return nullptr;
  }
  Expression* Make(Operation operation, Expression* left = nullptr, Expression* right = nullptr) {
    auto* const made = failed_ ? nullptr : arena_->New<Expression>();
    if (made == nullptr) return Fail("there is no memory");
    made->operation = operation;
    made->left = left;
    made->right = right;
    return made;
  }

  Expression* Sum() {
    if (++depth_ > kMostExpressionDepth) return Fail("it is nested too deeply");
    Expression* left = Product();
    for (char c = Skip(); !failed_ && (c == '+' || c == '-'); c = Skip()) {
      ++at_;
      Expression* const right = Product();
      left = Make(c == '+' ? Operation::kAdd : Operation::kSubtract, left, right);
    }
    --depth_;
    return left;
  }
  Expression* Product() {
    Expression* left = Factor();
    for (char c = Skip(); !failed_ && (c == '*' || c == '/'); c = Skip()) {
      ++at_;
      Expression* const right = Factor();
      left = Make(c == '*' ? Operation::kMultiply : Operation::kDivide, left, right);
    }
    return left;
  }
  Expression* Factor() {
    const char c = Skip();
    if (Consume('(')) {
      Expression* const inner = Sum();
      Need(')');
      return failed_ ? nullptr : inner;
    }
    if (IsDigit(c) || c == '.') return Number();
    if (!IsNameStart(c)) return Fail("a number, a name or \"(\" is expected");
    const std::string_view word = Name();
    if (Skip() != '(') {
      Expression* const made = Make(Operation::kName);
      if (made != nullptr) made->name = word;
      return made;
    }
    ++at_;
    if (word == "reduce") return Reduce();
    if (word == "select") return Select();
    if (word == "accumulate") return Accumulate();
    return Fail(
        "reduce, select and accumulate are the only functions; another one stands before the "
        "bracket");
  }

  std::string_view Name() {
    Skip();
    const size_t from = at_;
    while (at_ < text_.size() && (IsNameStart(text_[at_]) || IsDigit(text_[at_]))) ++at_;
    if (at_ == from) Fail("a name is expected");
    return text_.substr(from, at_ - from);
  }
  // strtod would follow the program's locale.
  Expression* Number() {
    double value = 0, scale = 1;
    bool any = false;
    for (; at_ < text_.size() && IsDigit(text_[at_]); ++at_, any = true)
      value = value * 10 + (text_[at_] - '0');
    if (at_ < text_.size() && text_[at_] == '.') {
      for (++at_; at_ < text_.size() && IsDigit(text_[at_]); ++at_, any = true) {
        value = value * 10 + (text_[at_] - '0');
        scale *= 10;
      }
    }
    if (!any) return Fail("a number is expected");
    value /= scale;
    if (at_ < text_.size() && (text_[at_] == 'e' || text_[at_] == 'E')) {
      ++at_;
      const bool down = at_ < text_.size() && text_[at_] == '-';
      if (at_ < text_.size() && (text_[at_] == '-' || text_[at_] == '+')) ++at_;
      int power = 0;
      const size_t from = at_;
      for (; at_ < text_.size() && IsDigit(text_[at_]) && power < 400; ++at_)
        power = power * 10 + (text_[at_] - '0');
      if (at_ == from) return Fail("an exponent is expected");
      for (int i = 0; i < power && i < 400; ++i) value = down ? value / 10 : value * 10;
    }
    Expression* const made = Make(Operation::kNumber);
    if (made != nullptr) made->number = value;
    return made;
  }

  CounterDimension Dimension() {
    const std::string_view name = Name();
    const CounterDimension dimension = DimensionOf(name);
    if (!failed_ && dimension == CounterDimension::kNone)
      Fail(
          "a dimension is expected (DIMENSION_XCC, _AID, _SHADER_ENGINE, _AGENT, _SHADER_ARRAY, "
          "_WGP, "
          "_INSTANCE)");
    return dimension;
  }
  Expression* Reduce() {
    Expression* const inner = Sum();
    Need(',');
    const std::string_view word = failed_ ? std::string_view() : Name();
    static constexpr std::string_view kWords[] = {"sum", "avr", "min", "max"};
    uint8_t reduction = 0;
    while (reduction < 4 && kWords[reduction] != word) ++reduction;
    if (reduction == 4) return Fail("sum, avr, min or max is expected");
    uint8_t dimensions = 0;
    if (Consume(',')) {
      Need('[');
      do {
        if (failed_) return nullptr;
        dimensions |= static_cast<uint8_t>(1u << static_cast<uint32_t>(Dimension()));
      } while (Consume(','));
      Need(']');
    }
    Need(')');
    Expression* const made = Make(Operation::kReduce, inner);
    if (made == nullptr) return nullptr;
    made->reduction = static_cast<Reduction>(reduction);
    made->dimensions = dimensions;
    return made;
  }
  Expression* Select() {
    Expression* const made = Make(Operation::kSelect, Sum());
    Need(',');
    Need('[');
    do {
      if (failed_) return nullptr;
      const CounterDimension dimension = Dimension();
      Need('=');
      Need('[');
      do {
        const Expression* const index = failed_ ? nullptr : Number();
        if (index == nullptr) return nullptr;
        if (index->number >= 64 || index->number != static_cast<int>(index->number))
          return Fail("an index is below 64");
        made->selected[static_cast<uint32_t>(dimension)] |= uint64_t{1}
                                                            << static_cast<int>(index->number);
      } while (Consume(','));
      Need(']');
      made->dimensions |= static_cast<uint8_t>(1u << static_cast<uint32_t>(dimension));
    } while (Consume(','));
    Need(']');
    Need(')');
    return failed_ ? nullptr : made;
  }
  Expression* Accumulate() {
    Expression* const made = Make(Operation::kName);
    if (made == nullptr) return nullptr;
    made->name = Name();
    made->accumulates = true;
    Need(',');
    const std::string_view word = failed_ ? std::string_view() : Name();
    if (word == "HIGH_RES")
      made->accumulation = Accumulation::kHigh;
    else if (word == "LOW_RES")
      made->accumulation = Accumulation::kLow;
    else if (word != "NONE")
      return Fail("HIGH_RES, LOW_RES or NONE is expected");
    Need(')');
    return failed_ ? nullptr : made;
  }

  const std::string_view text_;
  Arena* const arena_;
  size_t at_ = 0;
  uint32_t depth_ = 0;
  bool failed_ = false;
  Status error_ = Status::Ok();
};

}  // namespace

CounterDimension DimensionOf(std::string_view name) {
  constexpr std::string_view kPrefix = "DIMENSION_";
  if (name.starts_with(kPrefix)) name.remove_prefix(kPrefix.size());
  for (const DimensionWord& each : kDimensions) {
    if (each.word == name) return each.dimension;
  }
  return CounterDimension::kNone;
}

const char* DimensionName(uint32_t dimension) {
  static constexpr const char* kNames[kCounterDimensions] = {
      "DIMENSION_NONE",  "DIMENSION_XCC",          "DIMENSION_AID", "DIMENSION_SHADER_ENGINE",
      "DIMENSION_AGENT", "DIMENSION_SHADER_ARRAY", "DIMENSION_WGP", "DIMENSION_INSTANCE"};
  return dimension < kCounterDimensions ? kNames[dimension] : kNames[0];
}

Status ParseExpression(std::string_view text, Arena* arena, Expression** out) {
  return Parser(text, arena).Parse(out);
}

}  // namespace rtl::counters
