// SPDX-License-Identifier: MIT
// agent_properties.h: the columns of agent_info, which are the members of rocprofiler-sdk's agent.
//
// Threads    any
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "trace/read/rows.h"

namespace rtl::exporting::tool {

struct AgentCell {
  const char* column = "";  // for example "Cpu_Cores_Count"
  bool is_text = false;
  int64_t number = 0;
  std::string text;
};

// The name of the member of rocprofiler-sdk's agent, which is the column's in lower case.
std::string MemberOf(std::string column);

// What the driver and the runtime report about an agent. Unknown values are zero or empty.
class AgentFacts {
 public:
  using Properties = std::map<std::string, std::string, std::less<>>;
  AgentFacts() = default;
  AgentFacts(const query::Agent& agent, uint32_t logical, Properties properties);

  // In the order of the columns.
  const std::vector<AgentCell>& cells() const { return cells_; }
  int64_t Number(std::string_view property) const;
  std::string_view Text(std::string_view property) const;

 private:
  Properties properties_;
  std::vector<AgentCell> cells_;
};

}  // namespace rtl::exporting::tool
