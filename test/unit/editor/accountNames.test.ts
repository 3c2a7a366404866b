import assert from 'node:assert/strict';
import { accountReader } from '../../../src/editor/project/accountReader';
import type { AccountServices } from '../../../src/editor/project/accountName';
import {
  accountName,
  accountSuggestions,
  accountWord,
  accountsByName,
  knownAccounts,
  namedAddresses,
} from '../../../src/editor/project/accountName';
import { domainLookUp } from '../../../src/editor/project/domainLookUp';
import { domainOf, learnDomains, resolvedDomains } from '../../../src/editor/networks/domainNames';
import { learnSourceName } from '../../../src/editor/networks/sourceNames';
import { parameterValue } from '../../../src/toolkit/access/prepareRequest';
import type { DomainAccess } from '../../../src/toolkit/accounts/findAccount';
import { findAccount, withDomains } from '../../../src/toolkit/accounts/findAccount';
import { canonicalAddress } from '../../../src/toolkit/address/canonicalAddress';
import type { AccountsByName } from '../../../src/toolkit/address/resolveAccount';
import { resolveAccount } from '../../../src/toolkit/address/resolveAccount';
import { addressOfName, shortAddress, wholeAddress } from '../../../src/toolkit/address/shortAddress';
import { parseCallSheet } from '../../../src/toolkit/callSheet/parseCallSheet';
import { SheetValues } from '../../../src/toolkit/callSheet/sheetValues';
import { parseComposeLine } from '../../../src/toolkit/send/parseComposeLine';
import { printComposeLine } from '../../../src/toolkit/send/printComposeLine';
import { describeAddress } from '../../../src/toolkit/getMethods/resultLine';
import { encodeByLayout } from '../../../src/toolkit/contracts/layouts/encodeByLayout';
import { readTolkSourceLayouts } from '../../../src/toolkit/contracts/layouts/tolkLayouts';
import { parseStackText } from '../../../src/toolkit/stack/parseStackText';
import { parseTraceQuery } from '../../../src/toolkit/trace/parseTraceQuery';
import { readFollowTarget } from '../../../src/toolkit/trace/readFollowTarget';
import { TraceContext } from '../../../src/toolkit/trace/traceContext';
import { parseTypedStack } from '../../../src/toolkit/contracts/layouts/parseTypedStack';
import { namesInTraces } from '../../../src/toolkit/workflows/namesInTraces';
import { modelFrom } from '../../support/modelFrom';

const raw = (digit: string): string => `0:${digit.repeat(64)}`;
const [own, network, source, twice, also, nobody, domain] = [...'1234567'].map(raw) as [
  string,
  string,
  string,
  string,
  string,
  string,
  string,
];

/**
 * A window in which the user has named one contract Safe, which the network calls Vault and its source vault. All of its
 * accounts but one have a domain.
 */
function windowWith(): AccountServices {
  const local = { name: 'Local', kind: 'local' };
  const services = {
    networks: { current: () => local, local: () => local, find: () => local },
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
    connections: { open: () => Promise.resolve(indexed) },
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
  const row = (name: string): { domain: string } => ({ domain: name });
  learnDomains(services, 'Local', {
    ...{ [own]: row('own.ton'), [network]: row('network.ton'), [source]: row('source.ton') },
    ...{ [domain]: row('foundation.ton'), [nobody]: { domain: null } },
  });
  return services;
}

/** A network whose index knows one domain. */
const indexed = {
  network: { name: 'Local', kind: 'local', globalId: -239, v3: 'http://127.0.0.1:1/api/v3' },
  v3: {
    dnsRecords: ({ domain: asked }: { domain: string }) =>
      Promise.resolve({
        records: [
          { domain: 'other.ton', dns_wallet: own },
          ...(asked === 'foundation.ton' ? [{ domain: asked, dns_wallet: domain }] : []),
        ],
      }),
  },
} as unknown as DomainAccess;

const who = readTolkSourceLayouts('who.tolk', 'who', 'struct Who { who: address }');
const rawOf = (text: string | string[]): string | undefined => canonicalAddress(String(text));

describe('the name of an account', () => {
  const services = windowWith();

  it("is the user's, else the network's, else the source's, else the domain, else the shortened address", () => {
    const word = accountWord(services);
    assert.deepEqual([own, network, source, twice, domain, nobody].map(word), [
      'Safe',
      'Counter',
      'Minter',
      'Wallet',
      'foundation.ton',
      shortAddress(nobody),
    ]);
    assert.match(shortAddress(nobody), /^EQ[\w-]{4}…[\w-]{4}$/);
    assert.match(wholeAddress(nobody), /^EQ[\w-]{46}$/);
    assert.equal(word(own.toUpperCase()), 'Safe');
  });

  it('is no longer a domain once the network does not tell it', () => {
    const changed = windowWith();
    assert.equal(accountName(changed)(domain), 'foundation.ton');
    learnDomains(changed, 'Local', { [domain]: { domain: null } });
    assert.equal(accountName(changed)(domain), undefined);
    assert.equal(accountName(windowWith(), { name: 'Testnet', kind: 'testnet' })(domain), undefined);
  });

  it('shows what could be hidden in a domain', () => {
    const changed = windowWith();
    learnDomains(changed, 'Local', { [domain]: { domain: `\u202e${'x'.repeat(99)}.ton` } });
    const shown = accountName(changed)(domain) ?? '';
    assert.ok(shown.startsWith('\\u{202e}x') && shown.length < 60, shown);
  });

  it('is forgotten once the sources no longer contain the code', () => {
    const changed = windowWith();
    learnSourceName(changed, 'Local', source, undefined);
    assert.equal(accountName(changed)(source), 'source.ton');
    learnSourceName(changed, 'Local', twice, undefined);
    assert.equal(accountName(changed)(twice), undefined);
    assert.equal(accountName(changed, { name: 'Testnet', kind: 'testnet' })(twice), undefined);
  });

  const accounts = accountsByName(services);
  const name = accountName(services);
  const word = accountWord(services);
  const addressBook = new Map([[domain, { domain: 'foundation.ton' }]]);
  const trace = new TraceContext(modelFrom({}, { addressBook }), {
    names: namesInTraces({ kind: 'local' }, namedAddresses(services)),
  });
  const read = accountReader(() => accountsByName(services), name);

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
      assert.deepEqual([own, network, source, twice, domain].map(show), [
        'Safe',
        'Counter',
        'Minter',
        'Wallet',
        'foundation.ton',
      ]);
    });
  }

  /** Every place that accepts an account, with the raw address it finds for a name. */
  const taken: Record<string, (text: string, accounts: AccountsByName) => unknown> = {
    'editor pickers': (text, known) => resolveAccount(text, known),
    arguments: (text, known) => {
      const [value] = parseStackText(`addr ${text}`, { accounts: known });
      return value?.type === 'slice' ? value.cell.hash().toString('hex') : value;
    },
    'typed arguments': (text, known) => {
      const [given] = parseTypedStack(text, [{ name: 'who', type: { kind: 'address' } }], {
        accounts: known,
      });
      return JSON.stringify(
        given?.values.map((value) => 'cell' in value && value.cell.hash().toString('hex')),
      );
    },
    'fields of messages and storage': (text, known) =>
      encodeByLayout(`{who: ${text}}`, who.structs.get('Who')!, who, { accounts: known })
        .hash()
        .toString('hex'),
    'targets of call sheets': (text, known) => {
      const [call] = parseCallSheet(`${text} total()`).calls;
      return new SheetValues({ accounts: known }).address(call!);
    },
    'variables of call sheets': (text, known) => {
      const sheet = parseCallSheet(`@one = addr ${text}\none total()`);
      const values = new SheetValues({ accounts: known });
      values.readVariables(sheet);
      return values.address(sheet.calls[0]!);
    },
    'the compose box': (text, known) =>
      parseComposeLine(`${text} 1ton`, { accounts: known, wallets: ['alice'] }).to.toRawString(),
    'a sender without a signature': (text, known) => {
      const line = `${own} 1ton as ${text}`;
      const { sender } = parseComposeLine(line, { accounts: known, wallets: ['alice'] });
      return 'address' in sender ? sender.address.toRawString() : sender;
    },
    'the API explorer': (text, known) =>
      rawOf(parameterValue({ kind: 'address', repeated: false }, text, known)),
    'lists of the API explorer': (text, known) =>
      rawOf(parameterValue({ kind: 'address', repeated: true }, `${own}, ${text}`, known)[1] ?? ''),
    'the form of a test webhook': (text, known) => canonicalAddress(addressOfName(text, known)),
    'Open Trace': (text, known) => parseTraceQuery(text, known),
    Follow: (text, known) => readFollowTarget(text, known),
  };
  for (const [place, take] of Object.entries(taken)) {
    it(`is accepted by ${place}`, () => {
      for (const [text, address] of [
        ['Safe', own],
        ['@Counter', network],
        ['Minter', source],
      ] as const) {
        assert.deepEqual(take(text, accounts), take(address, accounts), text);
      }
    });

    it(`may be a domain in ${place}, once it is looked up`, async () => {
      const own = windowWith();
      assert.equal(resolvedDomains(own, 'Local').length, 0);
      const lookUp = domainLookUp(own);
      await lookUp.begin('see foundation.ton');
      assert.deepEqual(take('foundation.ton', accountsByName(own)), take(domain, accounts));
      const inProgram = await withDomains(indexed, 'see foundation.ton', new Map());
      assert.deepEqual(take('foundation.ton', inProgram), take(domain, accounts));
    });
  }

  it('is a domain only as long as the record is fresh, and shown with the address', async () => {
    const own = windowWith();
    const lookUp = domainLookUp(own);
    assert.equal(lookUp.begin('no domain, alice, 1.5ton'), undefined);
    await lookUp.begin('foundation.ton 1ton');
    assert.equal(lookUp.begin('foundation.ton 1ton'), undefined);
    assert.equal(lookUp.shown('foundation.ton 1ton'), `foundation.ton (${shortAddress(domain)}) 1ton`);
    const later = Date.now() + 61_000;
    const { now } = Date;
    Date.now = () => later;
    try {
      assert.equal(accountsByName(own).get('foundation.ton'), undefined);
    } finally {
      Date.now = now;
    }
  });

  it('is not a domain without a wallet, nor what the service answers for another one', async () => {
    const own = windowWith();
    const lookUp = domainLookUp(own);
    await lookUp.begin('nobody.ton');
    assert.match(lookUp.begin('nobody.ton') as string, /“nobody\.ton” does not name an account/);
    await assert.rejects(findAccount(indexed, 'nobody.ton', accounts), { code: 'account-unknown' });
    assert.throws(() => resolveAccount('nobody.ton', accounts), { code: 'account-unknown' });
    assert.equal(domainOf(own, 'Local', domain), 'foundation.ton');
  });

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
