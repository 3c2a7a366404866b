/** What both contracts of a jetton in FunC need of the standard library, and how wallets are addressed. */
const shared = `
slice begin_parse(cell c) asm "CTOS";
builder begin_cell() asm "NEWC";
cell end_cell(builder b) asm "ENDC";
builder store_ref(builder b, cell c) asm(c b) "STREF";
builder store_slice(builder b, slice s) asm "STSLICER";
builder store_coins(builder b, int x) asm "STGRAMS";
(slice, int) load_coins(slice s) asm(-> 1 0) "LDGRAMS";
(slice, slice) load_msg_addr(slice s) asm(-> 1 0) "LDMSGADDR";
(slice, cell) load_ref(slice s) asm(-> 1 0) "LDREF";
int equal_slices(slice a, slice b) asm "SDEQ";
int slice_empty?(slice s) asm "SEMPTY";
() end_parse(slice s) impure asm "ENDS";
int cell_hash(cell c) asm "HASHCU";
cell get_data() asm "c4 PUSH";
() set_data(cell c) impure asm "c4 POP";
cell my_code() asm "MYCODE";
slice my_address() asm "MYADDR";
() send_raw_message(cell msg, int mode) impure asm "SENDRAWMSG";

cell wallet_data(int balance, slice owner, slice minter) inline {
  return begin_cell().store_coins(balance).store_slice(owner).store_slice(minter).end_cell();
}
cell wallet_init(slice owner, slice minter, cell code) inline {
  return begin_cell().store_uint(6, 5).store_ref(code).store_ref(wallet_data(0, owner, minter)).end_cell();
}
slice address_of(cell init) inline {
  return begin_cell().store_uint(4, 3).store_int(0, 8).store_uint(cell_hash(init), 256).end_cell().begin_parse();
}
`;

/** A jetton wallet in FunC that takes and keeps jettons (TEP-74). */
export const funcWallet = `${shared}
() recv_internal(int coins, cell message, slice body) impure {
  if (slice_empty?(body)) { return (); }
  slice head = message.begin_parse();
  if (head~load_uint(4) & 1) { return (); }
  slice sender = head~load_msg_addr();
  slice data = get_data().begin_parse();
  int balance = data~load_coins();
  slice owner = data~load_msg_addr();
  slice minter = data~load_msg_addr();
  throw_unless(0xffff, body~load_uint(32) == 0x178d4519);
  int query = body~load_uint(64);
  int amount = body~load_coins();
  slice from = body~load_msg_addr();
  slice response = body~load_msg_addr();
  throw_unless(707, equal_slices(sender, minter) | equal_slices(sender, address_of(wallet_init(from, minter, my_code()))));
  set_data(wallet_data(balance + amount, owner, minter));
  if (response.preload_uint(2) != 0) {
    send_raw_message(begin_cell().store_uint(0x10, 6).store_slice(response).store_coins(0).store_uint(0, 107).store_uint(0xd53276db, 32).store_uint(query, 64).end_cell(), 64 + 2);
  }
}
(int, slice, slice, cell) get_wallet_data() method_id {
  slice data = get_data().begin_parse();
  int balance = data~load_coins();
  slice owner = data~load_msg_addr();
  return (balance, owner, data~load_msg_addr(), my_code());
}
`;

/**
 * A minter in FunC.
 *
 * @param opcode of its mint message
 * @param checks what it asks of the internal transfer in it, after the amount
 */
export function funcMinter(opcode: string, checks = ''): string {
  return `${shared}
(int, slice, cell, cell) stored() inline {
  slice data = get_data().begin_parse();
  int supply = data~load_coins();
  slice admin = data~load_msg_addr();
  cell content = data~load_ref();
  return (supply, admin, content, data~load_ref());
}
() recv_internal(int coins, cell message, slice body) impure {
  if (slice_empty?(body)) { return (); }
  slice head = message.begin_parse();
  if (head~load_uint(4) & 1) { return (); }
  slice sender = head~load_msg_addr();
  (int supply, slice admin, cell content, cell code) = stored();
  throw_unless(0xffff, body~load_uint(32) == ${opcode});
  body~load_uint(64);
  throw_unless(73, equal_slices(sender, admin));
  slice to = body~load_msg_addr();
  int value = body~load_coins();
  cell transfer = body~load_ref();
  slice inner = transfer.begin_parse();
  throw_unless(72, inner~load_uint(32) == 0x178d4519);
  inner~load_uint(64);
  int amount = inner~load_coins();
  ${checks}
  cell init = wallet_init(to, my_address(), code);
  send_raw_message(begin_cell().store_uint(0x18, 6).store_slice(address_of(init)).store_coins(value).store_uint(7, 108).store_ref(init).store_ref(transfer).end_cell(), 1);
  set_data(begin_cell().store_coins(supply + amount).store_slice(admin).store_ref(content).store_ref(code).end_cell());
}
(int, int, slice, cell, cell) get_jetton_data() method_id {
  (int supply, slice admin, cell content, cell code) = stored();
  return (supply, -1, admin, content, code);
}
slice get_wallet_address(slice owner) method_id {
  (int supply, slice admin, cell content, cell code) = stored();
  return address_of(wallet_init(owner, my_address(), code));
}
`;
}

/** What a governed minter asks in addition: coins enough for the wallet, and nothing that it does not know. */
export const governedChecks = `inner~load_msg_addr();
  inner~load_msg_addr();
  int forward = inner~load_coins();
  int either = inner~load_uint(1);
  inner.end_parse();
  body.end_parse();
  throw_unless(48, value > forward + 100000000);`;
