import assert from 'node:assert/strict';
import { accountReader } from '../../../src/editor/accounts/accountReader';
import type { AccountServices } from '../../../src/editor/accounts/accountServices';
import { accountSuggestions } from '../../../src/editor/accounts/accountSuggestions';
import { accountWord } from '../../../src/editor/accounts/accountWord';
import { accountName, accountsByName, knownAccounts } from '../../../src/editor/accounts/knownAccounts';
import { learnSourceName } from '../../../src/editor/networks/sourceNames';
import { describeAddress } from '../../../src/toolkit/getMethods/entryRows';
import { findAccount } from '../../../src/toolkit/accounts/findAccount';
import { shortAddress, wholeAddress } from '../../../src/toolkit/address/shortAddress';
import { resolveAccount } from '../../../src/toolkit/address/resolveAccount';
import { parseComposeLine } from '../../../src/toolkit/compose/parseComposeLine';
import { printComposeLine } from '../../../src/toolkit/compose/printComposeLine';
import { parseStackText } from '../../../src/toolkit/stack/parseStackText';
import { parseTraceQuery } from '../../../src/toolkit/trace/parseTraceQuery';
import { readFollowTarget } from '../../../src/toolkit/trace/readFollowTarget';
import { TraceContext } from '../../../src/toolkit/trace/traceContext';
import { namesInTraces } from '../../../src/toolkit/workflows/namesInTraces';
import { modelFrom } from '../../support/modelFrom';

const raw = (digit: string): string => `0:${digit.repeat(64)}`;
const [own, network, source, twice, also, nobody] = [...'123456'].map(raw) as [
  string,
  string,
  string,
  string,
  string,
  string,
];

/**
 * A window in which the user has named one contract Safe, which the network calls Vault and its source vault.
 */
function windowWith(): AccountServices {
  const local = { name: 'Local', kind: 'local' };
  const services = {
    networks: { current: () => local, local: () => local },
    localNetwork: {
      state: () => ({
        kind: 'running',
        accounts: [],
        contracts: [
          { name: 'Vault', address: own },
          { name: 'Counter', address: network },
        ],
      }),
    },
    pins: {
      of: () => [
        { network: 'Local', address: own, name: 'Safe', calls: {} },
        { network: 'Local', address: nobody, calls: {} },
      ],
    },
    connections: {},
  } as unknown as AccountServices;
  for (const [address, name] of [
    [own, 'vault'],
    [network, 'counter'],
    [source, 'Minter'],
    [twice, 'Wallet'],
    [also, 'Wallet'],
  ] as const) {
    learnSourceName(services, 'Local', address, name);
  }
  return services;
}

describe('the name of an account', () => {
  const services = windowWith();

  it("is the user's, else the network's, else the source's, else the shortened address", () => {
    const word = accountWord(services);
    assert.deepEqual([own, network, source, twice, nobody].map(word), [
      'Safe',
      'Counter',
      'Minter',
      'Wallet',
      shortAddress(nobody),
    ]);
    assert.match(shortAddress(nobody), /^EQ[\w-]{4}…[\w-]{4}$/);
    assert.match(wholeAddress(nobody), /^EQ[\w-]{46}$/);
    assert.equal(word(own.toUpperCase()), 'Safe');
  });

  it('is forgotten once the sources no longer contain the code', () => {
    const changed = windowWith();
    learnSourceName(changed, 'Local', source, undefined);
    assert.equal(accountName(changed)(source), undefined);
    assert.equal(accountName(changed, { name: 'Testnet', kind: 'testnet' })(twice), undefined);
  });

  const accounts = accountsByName(services);
  const name = accountName(services);
  const word = accountWord(services);
  const trace = new TraceContext(modelFrom({}), { names: namesInTraces({ kind: 'local' }, accounts) });
  const read = accountReader(accounts, name);

  /** Every surface that shows an account, with what it shows for an address. */
  const shown: Record<string, (address: string) => string> = {
    'rows, titles and pickers of the editor': word,
    'traces and rehearsals': (address) => trace.name(address),
    'text typed in a picker': (address) => {
      const reading = read(address);
      return reading.ok ? reading.label : reading.reason;
    },
    "documents of get-methods' answers": (address) => describeAddress(address, { accountName: name }).note,
    'local transfers to send a webhook for': accountWord(services, services.networks.local()),
    'a composed message': (address) => {
      const message = parseComposeLine(`${address} 1ton`, { accounts, wallets: ['alice'] });
      return printComposeLine(message, { name }).split(' ')[1] ?? '';
    },
  };
  for (const [surface, show] of Object.entries(shown)) {
    it(`is shown by ${surface}`, () => {
      assert.deepEqual([own, network, source].map(show), ['Safe', 'Counter', 'Minter']);
    });
  }

  /** Every place that accepts an account, with the raw address it finds for a name. */
  const taken: Record<string, (text: string) => unknown> = {
    'editor pickers': (text) => resolveAccount(text, accounts),
    'arguments and call sheets': (text) => {
      const [value] = parseStackText(`addr ${text}`, { accounts });
      return value?.type === 'slice' ? value.cell.hash().toString('hex') : value;
    },
    'the compose box': (text) =>
      parseComposeLine(`${text} 1ton`, { accounts, wallets: ['alice'] }).to.toRawString(),
    'Open Trace': (text) => parseTraceQuery(text, accounts),
    Follow: (text) => readFollowTarget(text, accounts),
  };
  for (const [place, take] of Object.entries(taken)) {
    it(`is accepted by ${place}`, () => {
      for (const [text, address] of [
        ['Safe', own],
        ['@Counter', network],
        ['Minter', source],
      ] as const) {
        assert.deepEqual(take(text), take(address), text);
      }
    });
  }

  it("is accepted by the command line if it is the network's", async () => {
    const access = { network: { name: 'Local', kind: 'local', globalId: -239 }, v3: {} } as const;
    assert.equal(await findAccount(access, 'Counter', accounts), network);
  });

  it('is not accepted if two accounts have it', () => {
    assert.throws(() => resolveAccount('Wallet', accounts), { code: 'account-unknown' });
  });

  it('is offered in lists with the shortened address, never with 64 digits', () => {
    const offered = accountSuggestions(knownAccounts(services));
    assert.deepEqual(
      offered.map(({ label }) => label),
      ['Safe', 'Counter'],
    );
    for (const { description } of offered) {
      assert.match(description ?? '', /^contract {2}EQ[\w-]{4}…[\w-]{4}$/);
    }
  });
});
