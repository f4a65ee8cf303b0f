// SPDX-License-Identifier: MIT
#include "counters/yaml.h"

#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include <string>

#include "counters/definitions.h"

namespace rtl::counters {
namespace {

// Both readers' trees as text.
std::string Shown(const YamlNode& node) {
  if (node.kind == YamlNode::Kind::kScalar) return "<" + std::string(node.text) + ">";
  std::string out = node.kind == YamlNode::Kind::kMap ? "{" : "[";
  for (const YamlNode* child = node.child; child != nullptr; child = child->next) {
    if (node.kind == YamlNode::Kind::kMap) out += std::string(child->key) + ":";
    out += Shown(*child) + ",";
  }
  return out + (node.kind == YamlNode::Kind::kMap ? "}" : "]");
}

std::string Shown(const YAML::Node& node) {
  if (node.IsNull()) return "<>";
  if (node.IsScalar()) return "<" + node.Scalar() + ">";
  std::string out = node.IsMap() ? "{" : "[";
  for (const auto& child : node) {
    out +=
        node.IsMap() ? child.first.Scalar() + ":" + Shown(child.second) : Shown(YAML::Node(child));
    out += ",";
  }
  return out + (node.IsMap() ? "}" : "]");
}

std::string Read(const std::string& text) {
  Arena arena;
  const YamlNode* root = nullptr;
  const Status read = ReadYaml(text, &arena, &root);
  return read.ok() ? Shown(*root) : std::string("!") + read.message();
}

TEST(CounterYamlTest, ReadsWhatAWellKnownReaderReads) {
  const char* const texts[] = {
      "a: 1\nb: two words\n",
      "a:\n- x\n- y\nb:\n  - z\n",
      "a:\n  - name: x\n    list: [p, q, 'r s']\n  - name: y\n    map: {k: v, w: [1, 2]}\n",
      "text: 'it''s: quoted #no comment'\nother: \"tab\\tand \\\"quotes\\\"\"\n",
      "# comment\nplain: one\n  two\n  three # behind\nnext: 1\n",
      "folded: 'first line\n  second line\n\n  third'\n",
      "block: |\n  one\n    two\n\n  three\nfold: >\n  one\n  two\n\n  three\nkeep: >-\n  last\n",
      "---\na: [1,\n  2,\n  3]\n...\n",
      "- a: 1\n  b: 2\n-\n  c: 3\n- - x\n  - y\n",
      "empty:\nlist: []\nmap: {}\nlast: ''\n",
      "gfx906/gfx90a:\n  expression: 400*reduce(A,sum)/reduce(B,max)\n",
      "\"quoted key\": x\n'other': y\n",
      "a: x:y\nb: -1\nc: a#b\n",
  };
  for (const char* text : texts) EXPECT_EQ(Read(text), Shown(YAML::Load(text))) << text;
}

TEST(CounterYamlTest, ReadsTheBuiltInDefinitionsAsAWellKnownReaderDoes) {
  const std::string text(BuiltInText());
  EXPECT_EQ(Read(text), Shown(YAML::Load(text)));
}

TEST(CounterYamlTest, NamesTheLineThatItCannotRead) {
  EXPECT_EQ(Read("a: 1\nb: [1, 2\n"), "!line 3: a bracket is not closed");
  EXPECT_EQ(Read("a: 'open\n"), "!line 2: a quote is not closed");
  EXPECT_EQ(Read("a: 1\na: 2\n"), "!line 2: a key appears twice in one mapping");
  EXPECT_EQ(Read("a: &x 1\n"), "!line 1: anchors and tags are not supported");
  EXPECT_EQ(Read("a: b: c\n"), "!line 1: a mapping begins after a key's colon");
  EXPECT_EQ(Read("a:\n\tb: 1\n"), "!line 2: a tab indents");
  EXPECT_EQ(Read("a: 1\n   b: 2\n"), "!line 2: a mapping begins inside a value");
  EXPECT_EQ(Read("a: 1\n---\nb: 2\n"), "!line 2: a second document begins");
  EXPECT_EQ(Read("a\n---\nb\n"), "!line 2: a second document begins");
  EXPECT_EQ(Read(std::string(200, '[')), "!line 1: it is nested too deeply");
  EXPECT_EQ(Read(std::string("a\0b", 3)), "!it is not text");
}

}  // namespace
}  // namespace rtl::counters
