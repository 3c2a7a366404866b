import assert from 'node:assert/strict';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { runCommandLine, runProcess } from '../support/commandLine';
import type { CommandLineRun } from '../support/commandLine';
import { startLocalnetCommand } from '../support/localnetCommand';
import type { LocalnetCommand } from '../support/localnetCommand';
import { BlueprintProject } from './support/blueprintProject';

/** Votes in FunC, with the standard functions that it needs. */
const votes = `
slice begin_parse(cell c) asm "CTOS";
builder begin_cell() asm "NEWC";
cell end_cell(builder b) asm "ENDC";
cell get_data() asm "c4 PUSH";
() set_data(cell c) impure asm "c4 POP";
int slice_bits(slice s) asm "SBITS";

const int error::closed = 501;
const int op::vote = 0x11;

int count_of(cell data) inline_ref {
  slice ds = data.begin_parse();
  return ds~load_uint(32);
}

int helper(int a, int b) impure {
  throw_if(error::closed, a > b);
  return a * b + a;
}

() recv_internal(int msg_value, cell in_msg_full, slice in_msg_body) impure {
  if (in_msg_body.slice_bits() == 0) { return (); }
  int op = in_msg_body~load_uint(32);
  throw_unless(error::closed, op == op::vote);
  set_data(begin_cell().store_uint(count_of(get_data()) + helper(1, 2) - 2, 32).end_cell());
}

int votes_cast() method_id { return count_of(get_data()); }

int strict() method_id {
  throw(error::closed);
  return helper(count_of(get_data()), 3);
}
`;

/** A Tolk source with another message under the same opcode. */
const shop = `
struct (0x00000011) Order { weight: uint32 }
fun onInternalMessage(in: InMessage) {
  if (in.body.isEmpty()) { return }
  val order = Order.fromSlice(in.body);
  assert (order.weight < 100) throw 77;
}
get fun orders(): int { return 0; }
`;

const tally = `
message(0x22) Add { amount: Int as uint32; }
contract Tally(total: Int as uint32) {
  receive() {}
  receive(msg: Add) { self.total += msg.amount; }
  get fun grand(): Int { return self.total; }
}
`;

describe('contracts that the command line deploys from their sources', () => {
  let localnet: LocalnetCommand;
  let project: BlueprintProject;
  let origin: string;

  const run = (...args: string[]): Promise<CommandLineRun> =>
    runCommandLine([...args, '--network', origin], {}, project.folder);
  const done = async (...args: string[]): Promise<CommandLineRun> => {
    const ended = await run(...args);
    assert.equal(ended.status, 0, ended.stdout + ended.stderr);
    return ended;
  };

  before(async () => {
    project = await BlueprintProject.create();
    await mkdir(path.join(project.folder, 'contracts'));
    for (const [name, text] of Object.entries({
      'votes.fc': votes,
      'shop.tolk': shop,
      'tally.tact': tally,
    })) {
      await writeFile(path.join(project.folder, 'contracts', name), text);
    }
    localnet = await startLocalnetCommand();
    origin = localnet.origin;
    // In a process of its own, whose code later commands have to find in the project.
    const first = ['deploy', 'contracts/votes.fc', '--data', 'b(u32 5)', '--network', origin];
    const deployed = await runProcess(first, {}, project.folder);
    assert.equal(deployed.status, 0, deployed.stdout + deployed.stderr);
    await done('deploy', 'contracts/tally.tact', '--data', '{total: 3}');
  });
  after(async () => {
    await localnet?.stop();
    await project?.remove();
  });

  it('have names in later commands, which compile nothing of the project: FunC', async () => {
    const { stdout } = await done('account', 'Votes', '--json');
    const told = JSON.parse(stdout) as { source: { file: string }; getMethods: { name: string }[] };
    assert.equal(told.source.file, 'contracts/votes.fc');
    assert.deepEqual(
      told.getMethods.map(({ name }) => name),
      ['votes_cast', 'strict'],
    );
    const failed = await run('send', '--compose', 'Votes 0.1ton body b(u32 7) from alice', '--anyway');
    assert.match(failed.stdout, /Votes would refuse 0x00000007: error::closed, 501/);
    const traced = await done('trace', 'Votes', '--limit', '1');
    assert.match(traced.stdout, /Votes refused 0x00000007: error::closed, 501/);
    assert.match(traced.stdout, /^✗ .* Votes .* exit 501 error::closed /m);
  });

  it('are deployed with a warning if nothing describes their data, and its get-methods fail on it', async () => {
    const empty = await done('deploy', 'contracts/votes.fc', '--name', 'Empty', '--dry-run');
    assert.match(empty.stderr, /^! Empty is deployed with empty data.*--data/m);
    assert.match(empty.stderr, /^! votes_cast\(\) fails with exit 9, cell underflow on this data\.$/m);
    const whole = await done('deploy', 'contracts/votes.fc', '--data', 'b(u32 9)', '--dry-run');
    assert.doesNotMatch(whole.stderr, /empty data|votes_cast/);
  });

  it('have messages by their own source, not by another one with the same opcode', async () => {
    const sent = await done('send', '--compose', 'Votes 0.1ton body b(u32 0x11, u32 3) from alice');
    assert.match(sent.stdout, / Votes +vote /);
    assert.doesNotMatch(sent.stdout, /Order/);
  });

  it('have one name, however its words are joined', async () => {
    const copy = path.join(project.folder, 'contracts/late_votes.fc');
    await writeFile(copy, votes.replace('501', '503'));
    const [plan] = (
      await done('deploy', 'contracts/late_votes.fc', '--data', 'b(u32 1)', '--json')
    ).stdout.split('\n');
    assert.equal((JSON.parse(plan ?? '') as { name: string }).name, 'LateVotes');
    for (const name of ['LateVotes', 'late_votes', '@late-votes']) {
      assert.match((await done('run', name, 'votes_cast')).stdout, /on LateVotes/);
    }
    await rm(copy);
  });

  it('have messages and storage by TL-B comments of a FunC source', async () => {
    const file = path.join(project.folder, 'contracts/ballot.fc');
    const described = votes
      .replace('() recv_internal', ';; vote#00000011 query_id:uint64 voter:MsgAddress = InternalMsgBody;\n$&')
      .replace('int count_of', ';; storage#_ count:uint32 = Storage;\n$&')
      .replace(
        'return helper(count_of',
        ';; another code than that of votes.fc\n  return 1 + helper(count_of',
      );
    await writeFile(file, described);
    await done('deploy', 'contracts/ballot.fc', '--data', '{count: 6}');
    const sent = await done('send', '--compose', 'Ballot vote {query_id: 1, voter: bob} 0.1ton from alice');
    assert.match(sent.stdout, /sends 0\.1 TON to Ballot .*, vote \{query_id: 1, voter: bob\}\./);
    assert.match(sent.stdout, /B Ballot +vote /);
    assert.match(sent.stdout, /count 6 → 7/);
    assert.match((await done('account', 'Ballot')).stdout, /^storage\n {2}storage\n {4}count +7$/m);
    await rm(file);
  });

  it('show get-methods, not the numbers of other functions', async () => {
    const { stdout } = await done('account', 'Votes');
    assert.match(stdout, /^ {2}get-methods {5}votes_cast, strict$/m);
  });

  it('have the names of exit codes in the steps of call sheets', async () => {
    const file = path.join(project.folder, 'votes.toncall');
    await writeFile(file, 'Votes strict()\n');
    const ran = await run('run', file);
    assert.equal(ran.status, 1);
    assert.match(ran.stdout, /^✗ Votes strict {2}exit 501 error::closed, gas/);
  });

  it('have names in later commands, which compile nothing of the project: Tact', async () => {
    const { stdout } = await done('account', 'Tally');
    assert.match(stdout, /^ {2}grand\(\) +3$/m);
    assert.match(stdout, /^storage\n {2}the storage of Tally\n {4}total +3$/m);
    assert.equal((await done('run', 'Tally', 'grand', '--json')).status, 0);
  });

  it('keep their names when the source is edited, with a word that it has changed', async () => {
    const file = path.join(project.folder, 'contracts/votes.fc');
    const before = await readFile(file, 'utf8');
    await writeFile(file, before.replace('error::closed = 501', 'error::closed = 502'));
    const { stdout, stderr } = await done('account', 'Votes');
    assert.match(stdout, /votes_cast\(\) +\d/);
    assert.match(stdout, /its code, which an earlier version of contracts\/votes\.fc compiled to/);
    assert.match(stderr, /^contracts\/votes\.fc has changed since the code of \w+ was compiled/m);
    // 501 had its name when the code was compiled; that the file now calls another one so is no matter of the code.
    const swapped = before.replace(
      'error::closed = 501',
      'error::closed = 502;\nconst int error::other = 501',
    );
    await writeFile(file, swapped);
    const failed = await run('run', 'Votes', 'strict');
    assert.match(failed.stdout + failed.stderr, /501[,:] error::closed/);
    assert.doesNotMatch(failed.stdout + failed.stderr, /error::other/);
    await writeFile(file, before);
    assert.doesNotMatch((await done('account', 'Votes')).stderr, /has changed/);
  });

  it('are just without names if what was remembered is broken or gone', async () => {
    const file = path.join(project.folder, '.ton/compiled.json');
    const before = await readFile(file, 'utf8');
    await writeFile(file, before.slice(0, 100));
    assert.match((await done('account', 'Votes')).stdout, /no source known/);
    await rm(file);
    assert.match((await done('account', 'Votes')).stdout, /no source known/);
    await writeFile(file, before);
    assert.match((await done('account', 'Votes')).stdout, /votes_cast/);
  });
});
