// SPDX-License-Identifier: MIT
#include "export/new_database.h"

#include "trace/schema/schema.h"

namespace rtl::exporting {
namespace {

constexpr size_t kCacheBytes = 16 << 20;

}  // namespace

Status NewDatabase::Begin(store::Database* database) {
  RTL_TRY(file_.Make(output_));
  RTL_TRY(database->Open(file_.temporary(), output_));
  RTL_TRY(database->BeginBuilding(kCacheBytes));
  RTL_TRY(store::CreateSchema(database));
  return bulk_.Begin(database, file_.temporary());
}

Status NewDatabase::Finish(store::Database* database, std::vector<std::string>* notes) {
  RTL_TRY(bulk_.Finish());
  RTL_TRY(database->Execute("COMMIT"));
  bulk_.Close();
  RTL_TRY(database->CompactWhenSmall());
  database->Close();
  std::string written, note;
  RTL_TRY(file_.Publish(&written, &note));
  if (!note.empty()) notes->push_back(note);
  return Status::Ok();
}

}  // namespace rtl::exporting
