// SPDX-License-Identifier: MIT
#include "capture/queue/packet_origins.h"

#include <gtest/gtest.h>

#include <memory>

namespace rtl::capture {
namespace {

TEST(PacketOrigins, FindsTheThreadThatReservedAPacket) {
  PacketOrigins origins;
  ASSERT_TRUE(origins.Open(64, false));
  origins.Note(0, 1, {11, 0, 101});
  origins.Note(1, 3, {12, 0, 102});
  PacketOrigin origin;
  ASSERT_TRUE(origins.Find(0, &origin));
  EXPECT_EQ(origin.correlation, 11u);
  EXPECT_EQ(origin.thread, 101u);
  ASSERT_TRUE(origins.Find(3, &origin));
  EXPECT_EQ(origin.correlation, 12u);
  EXPECT_FALSE(origins.Find(4, &origin));
}

TEST(PacketOrigins, KeepsAFullQueueThatIsReservedAgainBeforeTheHook) {
  PacketOrigins origins;
  ASSERT_TRUE(origins.Open(64, false));
  for (uint64_t i = 0; i < 128; ++i) origins.Note(i, 1, {1000 + i, 0, 7});
  for (uint64_t i = 0; i < 128; ++i) {
    PacketOrigin origin;
    ASSERT_TRUE(origins.Find(i, &origin));
    EXPECT_EQ(origin.correlation, 1000 + i);
  }
}

TEST(PacketOrigins, DoesNotMistakeALaterPacketForAnEarlierOne) {
  PacketOrigins origins;
  ASSERT_TRUE(origins.Open(64, false));
  origins.Note(5, 1, {1, 0, 7});
  origins.Note(5 + 128, 1, {2, 0, 7});
  PacketOrigin origin;
  EXPECT_FALSE(origins.Find(5, &origin));
  EXPECT_TRUE(origins.Find(5 + 128, &origin));
}

TEST(PacketOrigins, ForgetsTheFormerQueue) {
  PacketOrigins origins;
  ASSERT_TRUE(origins.Open(64, false));
  origins.Note(5, 1, {1, 0, 7});
  ASSERT_TRUE(origins.Open(64, false));
  PacketOrigin origin;
  EXPECT_FALSE(origins.Find(5, &origin));
}

TEST(PacketOrigins, KeepsTheIdsOfToolsOnRequest) {
  PacketOrigins origins;
  ASSERT_TRUE(origins.Open(64, false));
  origins.Note(5, 1, {1, 2, 7});
  PacketOrigin origin;
  ASSERT_TRUE(origins.Find(5, &origin));
  EXPECT_EQ(origin.tool_correlation, 0u);
  ASSERT_TRUE(origins.Open(64, true)) << "for a later queue";
  EXPECT_FALSE(origins.Find(5, &origin));
  origins.Note(6, 2, {1, 2, 7});
  ASSERT_TRUE(origins.Find(7, &origin));
  EXPECT_EQ(origin.correlation, 1u);
  EXPECT_EQ(origin.tool_correlation, 2u);
}

TEST(OriginTable, FindsEveryQueue) {
  auto table = std::make_unique<OriginTable>();
  auto queues = std::make_unique<hsa_queue_t[]>(OriginTable::kQueues + 1);
  auto origins = std::make_unique<PacketOrigins[]>(OriginTable::kQueues + 1);
  for (uint32_t i = 0; i <= OriginTable::kQueues; ++i) table->Add(&queues[i], &origins[i]);
  for (uint32_t i = 0; i < OriginTable::kQueues; ++i) {
    EXPECT_EQ(table->Find(&queues[i]), &origins[i]);
  }
  EXPECT_EQ(table->Find(&queues[OriginTable::kQueues]), nullptr);
}

TEST(OriginTable, ReusesTheEntriesOfDestroyedQueues) {
  auto table = std::make_unique<OriginTable>();
  auto queues = std::make_unique<hsa_queue_t[]>(3 * OriginTable::kQueues);
  PacketOrigins origins;
  for (uint32_t i = 0; i < 3 * OriginTable::kQueues; ++i) {
    table->Add(&queues[i], &origins);
    ASSERT_EQ(table->Find(&queues[i]), &origins) << i;
    table->Remove(&queues[i]);
  }
}

TEST(OriginTable, ForgetsAQueueUntilItsAddressIsReused) {
  auto table = std::make_unique<OriginTable>();
  hsa_queue_t queue = {};
  PacketOrigins first, second;
  table->Add(&queue, &first);
  table->Remove(&queue);
  EXPECT_EQ(table->Find(&queue), nullptr);
  table->Add(&queue, &second);
  EXPECT_EQ(table->Find(&queue), &second);
}

}  // namespace
}  // namespace rtl::capture
