import assert from 'node:assert/strict';
import { readNetworkSettings } from '../../../src/toolkit/access/network';

const reserved = ['Local', 'Mainnet', 'Testnet'];

describe('the setting tonWorkbench.networks', () => {
  it('accepts a network with both URLs and removes trailing slashes', () => {
    const { networks, problems } = readNetworkSettings(
      [
        {
          name: 'Mine',
          v2: 'http://localhost:8081/api/v2/',
          v3: 'http://localhost:8081/api/v3',
          globalId: -239,
        },
      ],
      reserved,
    );
    assert.deepEqual(problems, []);
    assert.deepEqual(networks, [
      {
        name: 'Mine',
        kind: 'custom',
        globalId: -239,
        v2: 'http://localhost:8081/api/v2',
        v3: 'http://localhost:8081/api/v3',
        explorer: undefined,
      },
    ]);
  });

  it('accepts a network with only one API', () => {
    const { networks, problems } = readNetworkSettings(
      [{ name: 'Index', v3: 'https://a.example/api/v3' }],
      reserved,
    );
    assert.deepEqual(problems, []);
    assert.equal(networks[0]?.v2, undefined);
  });

  const bad: [string, unknown, RegExp][] = [
    ['no name', { v2: 'http://a.example' }, /a name is missing/],
    ['a name of ours', { name: 'mainnet', v2: 'http://a.example' }, /already taken/],
    ['no URL', { name: 'x' }, /needs a v2 or a v3 URL/],
    ['a URL with a password', { name: 'x', v2: 'https://u:p@a.example' }, /v2 must be/],
    ['a URL with a key in its query', { name: 'x', v3: 'https://a.example/?api_key=1' }, /v3 must be/],
    ['another scheme', { name: 'x', v3: 'file:///etc/passwd' }, /v3 must be/],
    ['null', null, /a name is missing/],
  ];
  for (const [title, entry, reason] of bad) {
    it(`skips an entry with ${title}, says why, and keeps the others`, () => {
      const { networks, problems } = readNetworkSettings(
        [entry, { name: 'Good', v2: 'http://a.example' }],
        reserved,
      );
      assert.deepEqual(
        networks.map((network) => network.name),
        ['Good'],
      );
      assert.equal(problems.length, 1);
      assert.match(problems[0] ?? '', reason);
    });
  }

  it('refuses a second network of the same name', () => {
    const twice = [
      { name: 'Mine', v2: 'http://a.example' },
      { name: 'MINE', v2: 'http://b.example' },
    ];
    assert.equal(readNetworkSettings(twice, reserved).problems.length, 1);
  });

  it('survives a value that is not a list', () => {
    assert.deepEqual(readNetworkSettings('nonsense', reserved), { networks: [], problems: [] });
  });
});
