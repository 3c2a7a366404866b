import assert from 'node:assert/strict';
import { createAccess } from '../../../src/toolkit/access/createAccess';
import { networkVersions } from '../../../src/toolkit/access/networkVersions';
import type { NetworkVersions } from '../../../src/toolkit/access/networkVersions';
import { WorkbenchError } from '../../../src/toolkit/base/errors';

const answer = (status: number, version?: string) => ({
  status,
  header: (name: string) => (name === 'x-api-version' ? version : undefined),
  body: Buffer.from(status === 200 ? '{"ok":true,"result":{}}' : '{"ok":false,"error":"no","code":404}'),
});

const versionsOf = (
  v2?: ReturnType<typeof answer>,
  v3?: ReturnType<typeof answer>,
): Promise<NetworkVersions> =>
  networkVersions(
    createAccess({
      network: {
        name: 'N',
        kind: 'custom',
        v2: v2 && 'http://service/api/v2',
        v3: v3 && 'http://service/api/v3',
        globalId: -239,
      },
      transport: ({ url }) => Promise.resolve((url.includes('/api/v2') ? v2 : v3) ?? assert.fail(url)),
    }),
  );

describe('networkVersions', () => {
  it('recognizes the Python service by its minor number, with its lower limit', async () => {
    const { v2 } = await versionsOf(answer(200, 'v2.0.63'));
    assert.deepEqual(v2, { version: 'v2.0.63', variant: 'Python', transactionsLimit: 100 });
  });

  it('recognizes the C++ service, and the version of v3', async () => {
    assert.deepEqual(await versionsOf(answer(200, '2.1.11'), answer(200, '1.2.10')), {
      v2: { version: '2.1.11', variant: 'C++', transactionsLimit: 1000 },
      v3: { version: '1.2.10' },
    });
  });

  it('does not name the service if the minor number is undocumented', async () => {
    const { v2 } = await versionsOf(answer(200, '2.2.1'));
    assert.deepEqual(v2, { version: '2.2.1', variant: undefined, transactionsLimit: 1000 });
  });

  it('does not guess if the service does not say', async () => {
    assert.deepEqual(await versionsOf(answer(200), answer(200)), {
      v2: { version: undefined, variant: undefined, transactionsLimit: 1000 },
      v3: { version: undefined },
    });
  });

  it('reports one API if the other is unreachable, and fails if both are', async () => {
    assert.deepEqual(await versionsOf(answer(404), answer(200, '1.2.10')), { v3: { version: '1.2.10' } });
    await assert.rejects(versionsOf(answer(404), answer(404)), (error) =>
      WorkbenchError.is(error, 'not-found'),
    );
  });
});
