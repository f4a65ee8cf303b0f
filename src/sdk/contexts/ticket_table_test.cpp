// SPDX-License-Identifier: MIT
#include "sdk/contexts/ticket_table.h"

#include <gtest/gtest.h>
#include <string.h>

#include <memory>
#include <set>
#include <thread>
#include <vector>

namespace rtl::sdk {
namespace {

std::unique_ptr<TicketTable> Table(size_t bytes) {
  auto table = std::make_unique<TicketTable>();
  table->Open(bytes);
  return table;
}

TEST(TicketTable, MapsNothingBeforeTheFirstTake) {
  const auto table = Table(40);
  EXPECT_EQ(table->mapped(), 0u);
  EXPECT_NE(table->Take(), 0u);
  EXPECT_EQ(table->mapped(), TicketTable::kPerBlock);
}

TEST(TicketTable, ReusesTheLastReturnedTicketFirst) {
  const auto table = Table(40);
  const uint32_t first = table->Take();
  const uint32_t second = table->Take();
  EXPECT_NE(first, second);
  table->Give(first);
  EXPECT_EQ(table->Take(), first);
}

TEST(TicketTable, GrowsAndKeepsTheTicketsDataApart) {
  constexpr size_t kBytes = 44;  // rounded up
  constexpr uint32_t kTickets = 3 * TicketTable::kPerBlock;
  const auto table = Table(kBytes);
  std::set<uint32_t> tickets;
  for (uint32_t i = 0; i < kTickets; ++i) {
    const uint32_t ticket = table->Take();
    memset(table->At(ticket), static_cast<int>(ticket & 0xff), kBytes);
    EXPECT_TRUE(tickets.insert(ticket).second);
  }
  EXPECT_EQ(table->mapped(), kTickets);
  for (const uint32_t ticket : tickets) {
    const auto* const bytes = static_cast<const unsigned char*>(table->At(ticket));
    EXPECT_EQ(bytes[0], ticket & 0xff);
    EXPECT_EQ(bytes[kBytes - 1], ticket & 0xff);
  }
  for (const uint32_t ticket : tickets) table->Give(ticket);
  for (uint32_t i = 0; i < kTickets; ++i) EXPECT_EQ(tickets.count(table->Take()), 1u);
  EXPECT_EQ(table->mapped(), kTickets) << "returned tickets are reused";
}

// Takers and a giver on different threads, as hooks and the worker.
TEST(TicketTable, NeverGivesOneTicketToTwoThreads) {
  constexpr int kThreads = 4;
  constexpr int kRounds = 20'000;
  const auto table = Table(sizeof(std::atomic<uint32_t>));
  std::atomic<uint32_t> handed{0};  // a ticket on its way to the giver
  std::atomic<int> busy{kThreads};
  std::atomic<uint64_t> shared{0}, given{0};
  std::vector<std::thread> takers;
  for (int t = 0; t < kThreads; ++t) {
    takers.emplace_back([&] {
      for (int i = 0; i < kRounds; ++i) {
        const uint32_t ticket = table->Take();
        auto& owners = *static_cast<std::atomic<uint32_t>*>(table->At(ticket));
        if (owners.fetch_add(1) != 0) ++shared;
        owners.fetch_sub(1);
        uint32_t none = 0;
        if (i % 3 != 0 || !handed.compare_exchange_strong(none, ticket)) table->Give(ticket);
      }
      --busy;
    });
  }
  std::thread giver([&] {
    while (busy != 0 || handed != 0) {
      const uint32_t ticket = handed.exchange(0);
      if (ticket == 0) continue;
      table->Give(ticket);
      ++given;
    }
  });
  for (std::thread& taker : takers) taker.join();
  giver.join();
  EXPECT_EQ(shared, 0u);
  EXPECT_LE(table->mapped(), kThreads * TicketTable::kPerBlock);
}

}  // namespace
}  // namespace rtl::sdk
