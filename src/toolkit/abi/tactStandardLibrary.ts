/**
 * The parts of Tact's standard library that appear in get-method signatures and messages: the traits of
 * @stdlib/ownable,
 * @stdlib/stoppable, @stdlib/deploy and @stdlib/dns with their getters and messages, and the structs known
 * without an import (Tact 1.6). Its files come with the compiler and are rarely part of a project.
 */
export const tactStandardLibrary = `
struct StdAddress { workchain: Int as int8; address: Int as uint256 }
struct VarAddress { workchain: Int as int32; address: Slice }
struct BasechainAddress { hash: Int? }
struct DataSize { cells: Int; bits: Int; refs: Int }
struct Context { bounceable: Bool; sender: Address; value: Int; raw: Slice }
struct StateInit { code: Cell; data: Cell }
struct SignedBundle { signature: Slice as bytes64; signedData: Slice as remaining }
struct SendParameters { mode: Int; body: Cell?; code: Cell?; data: Cell?; value: Int; to: Address; bounce: Bool }
struct MessageParameters { mode: Int; body: Cell?; value: Int; to: Address; bounce: Bool }
struct DeployParameters { mode: Int; body: Cell?; value: Int; bounce: Bool; init: StateInit }
struct DNSResolveResult { prefix: Int; record: Cell? }
message(0x946a98b6) Deploy { queryId: Int as uint64 }
message(0xaff90f57) DeployOk { queryId: Int as uint64 }
message(0x6d0ff13b) FactoryDeploy { queryId: Int as uint64; cashback: Address }
message(0x819dbe99) ChangeOwner { queryId: Int as uint64; newOwner: Address }
message(0x327b2b4a) ChangeOwnerOk { queryId: Int as uint64; newOwner: Address }
trait Deployable { receive(deploy: Deploy) {} }
trait FactoryDeployable { receive(deploy: FactoryDeploy) {} }
trait Ownable { get fun owner(): Address {} }
trait OwnableTransferable with Ownable { receive(msg: ChangeOwner) {} }
trait Stoppable with Ownable { get fun stopped(): Bool {} }
trait Resumable with Stoppable {}
trait DNSResolver { get fun dnsresolve(subdomain: Slice, category: Int): DNSResolveResult {} }
`;
