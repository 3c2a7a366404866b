import * as z from 'zod';
import { WorkbenchError } from '../base/errors';
import { callControl } from '../localnet/callControl';
import { readTonAmount } from '../stack/integerText';
import type { Tool, ToolCall } from './tool';
import { defineTool, onlyDocument, options, word } from './tool';

const coins = z
  .string()
  .max(40)
  .regex(/^\d{1,12}(?:\.\d{1,9})?(?:ton)?$/)
  .describe('Coins: 1, 0.5, 1000ton.');

const localStatus = defineTool({
  name: 'local_status',
  title: 'Local Network Status',
  sentence:
    'Shows the local network of this project: its newest block, its funded wallets and named contracts (use their names as addresses), and its snapshots.',
  changes: 'nothing',
  input: z.strictObject({}),
  output: z.looseObject({
    seqno: z.int(),
    wallets: z.array(z.unknown()),
    contracts: z.array(z.unknown()),
    snapshots: z.record(z.string(), z.int()).describe('Names, and the block of each.'),
  }),
  run: async (_, call) => {
    const status = onlyDocument(await call.host.command('localnet status', [], call.signal), call);
    const snapshots = await callControl(controlOf(call), 'snapshots', {}, call.signal);
    return { ...(status as { seqno: number; wallets: []; contracts: [] }), snapshots };
  },
});

const localDeploy = defineTool({
  name: 'local_deploy',
  title: 'Deploy Locally',
  sentence:
    'Compiles a contract and deploys it to the local network with a funded wallet; returns its address and what happened. If it is deployed already, nothing is sent.',
  changes: 'local network',
  input: z.strictObject({
    file: z.string().max(1_000).describe('A source, or build output, by its path from the root.'),
    data: z
      .string()
      .max(200_000)
      .optional()
      .describe('The fields of its storage, {owner: alice, count: 0}, or a cell, b(u32 0).'),
    message: z.string().max(200_000).optional().describe('The first message, such as Init {admin: alice}.'),
    contract: z.string().max(200).optional().describe('Which contract of a source that declares several.'),
    name: z.string().max(100).optional().describe('A name for the contract.'),
    from: z.string().max(200).optional().describe('The wallet that pays.'),
    value: coins.optional(),
  }),
  output: z.looseObject({
    name: z.string().nullable().optional(),
    address: z.string().optional(),
    codeHash: z.string().optional(),
    isDeployed: z.boolean().nullable().optional(),
    send: z.unknown().optional(),
  }),
  run: async ({ file, ...others }, call) => {
    const args = [...options({ network: 'local', ...others }), '--', word(file)];
    return onlyDocument(await call.host.command('deploy', args, call.signal), call);
  },
});

const localSend = defineTool({
  name: 'local_send',
  title: 'Send Locally',
  sentence:
    'Composes a message in one line, signs it with a wallet of the local network, rehearses it, sends it once, and returns the complete trace. Example: Counter 0.1ton Increase {by: 5} from alice.',
  changes: 'local network',
  input: z.strictObject({
    line: z
      .string()
      .max(200_000)
      .describe(
        'TO COINS [MESSAGE {field: value} | comment "…" | body b(u32 7)] [from WALLET]; "as ADDRESS" instead of "from" sends in the name of any contract, unsigned.',
      ),
    anyway: z.boolean().optional().describe('Send although the rehearsal foresees a refusal.'),
  }),
  output: z.looseObject({
    sent: z.boolean().optional(),
    accepted: z.boolean().nullable().optional(),
    exitCode: z.int().nullable().optional(),
    trace: z.unknown().optional(),
  }),
  run: async ({ line, anyway }, call) => {
    const args = options({ network: 'local', compose: line, anyway });
    return onlyDocument(await call.host.command('send', args, call.signal), call);
  },
});

const localFaucet = defineTool({
  name: 'local_faucet',
  title: 'Give Coins Locally',
  sentence:
    "Gives new coins, or any jetton, to an account of the local network or fork. Jettons are minted as the minter's admin; the answer tells what the balance rose by, or why it can't be done.",
  changes: 'local network',
  input: z.strictObject({
    address: z.string().max(300).describe('An address, or a name on the local network.'),
    amount: z
      .string()
      .max(80)
      .regex(/^\d{1,60}(?:\.\d{1,18})?(?:ton)?$/)
      .describe("Coins: 1, 0.5, 1000ton; or the jetton's own unit: 100."),
    jetton: z
      .string()
      .max(300)
      .optional()
      .describe('The symbol of a jetton on this network, or the address of its minter.'),
    units: z.boolean().optional().describe("The amount is in the jetton's smallest unit."),
  }),
  output: z.looseObject({
    message: z.string(),
    trace: z.string().nullable(),
    asked: z.string().optional().describe("In the jetton's smallest unit, as the next two."),
    rose: z.string().nullable().optional().describe('What get_wallet_data rose by.'),
    balance: z.string().nullable().optional(),
    wallet: z.string().optional(),
  }),
  run: async ({ address, amount, jetton, units }, call) => {
    if (jetton !== undefined) {
      const asked = { address, jetton, amount, ...(units === undefined ? {} : { units }) };
      return { ...(await callControl(controlOf(call), 'faucetJetton', asked, call.signal)) };
    }
    const nanocoins = units === undefined ? readTonAmount(amount) : undefined;
    if (nanocoins === undefined) {
      throw new WorkbenchError({
        code: 'usage',
        kind: 'input',
        message: `${JSON.stringify(amount)}${units === undefined ? '' : ' units'} is not an amount of coins.`,
        hint: 'Give coins such as 5 or 0.5, or name a jetton.',
      });
    }
    const given = { address, amount: String(nanocoins) };
    return { ...(await callControl(controlOf(call), 'faucet', given, call.signal)) };
  },
});

const localTime = defineTool({
  name: 'local_time',
  title: 'Move Local Time',
  sentence:
    "Moves the clock of the local network forward, for contracts that wait for a time. Going back to a snapshot doesn't turn the clock back; seconds 0 returns to the machine's time.",
  changes: 'local network',
  input: z.strictObject({
    seconds: z.int().min(0).max(3_200_000_000).describe("By how many seconds; 0: the machine's time again."),
  }),
  output: z.looseObject({ now: z.int(), ahead: z.number() }),
  run: async ({ seconds }, call) => {
    const parameters = seconds === 0 ? {} : { seconds };
    return { ...(await callControl(controlOf(call), 'time', parameters, call.signal)) };
  },
});

const localSnapshot = defineTool({
  name: 'local_snapshot',
  title: 'Take a Local Snapshot',
  sentence:
    'Saves the state of the local network under a name, for local_restore. Tools that change the network take one by themselves ("before" in their answers).',
  changes: 'local network',
  takesNoSnapshot: true,
  input: z.strictObject({ name: z.string().min(1).max(100) }),
  output: z.looseObject({ snapshot: z.string(), block: z.int() }),
  run: async ({ name }, call) => {
    const { seqno } = await callControl(controlOf(call), 'snapshot', { name }, call.signal);
    return { snapshot: name, block: seqno };
  },
});

const localRestore = defineTool({
  name: 'local_restore',
  title: 'Restore a Local Snapshot',
  sentence:
    'Takes the local network back to a snapshot (as "before" in an answer names it) or a block. The blocks after it are undone; the answer names how to bring them back until something else happens.',
  changes: 'local network',
  takesNoSnapshot: true,
  input: z.strictObject({
    snapshot: z.string().max(100).optional(),
    block: z.int().nonnegative().optional().describe('Instead of a snapshot: the block to go back to.'),
    undo: z
      .int()
      .positive()
      .optional()
      .describe('Brings back what an earlier restore has undone, by its "undo".'),
  }),
  output: z.looseObject({
    block: z.int(),
    undo: z.int().optional().describe('local_restore with this number brings the undone blocks back.'),
  }),
  run: async ({ snapshot, block, undo }, call) => {
    const control = controlOf(call);
    if (undo !== undefined) {
      const { seqno } = await callControl(control, 'undoRestore', { undo }, call.signal);
      return { block: seqno };
    }
    const point = {
      ...(snapshot === undefined ? {} : { name: snapshot }),
      ...(block === undefined ? {} : { seqno: block }),
    };
    const restored = await callControl(control, 'restore', { ...point, keep: true }, call.signal);
    return {
      block: restored.seqno,
      ...(restored.undo === undefined ? {} : { undo: restored.undo }),
    };
  },
});

/** @throws WorkbenchError `localnet-unreachable` (network) */
function controlOf({ host }: ToolCall): string {
  const control = host.control();
  if (control === undefined) {
    throw new WorkbenchError({
      code: 'localnet-unreachable',
      kind: 'network',
      message: 'No local network is known here.',
      hint: 'Start it in the editor (TON: Start Local Network), or with: ton-workbench localnet.',
    });
  }
  return control;
}

/** Tools that work on the local network only. */
export const localTools: readonly Tool[] = [
  localStatus,
  localDeploy,
  localSend,
  localFaucet,
  localTime,
  localSnapshot,
  localRestore,
];
