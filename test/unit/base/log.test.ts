import assert from 'node:assert/strict';
import { createLog, Redactor } from '../../../src/toolkit/base/log';

describe('the log', () => {
  const logged = (write: (log: ReturnType<typeof createLog>, redactor: Redactor) => void): string => {
    const lines: string[] = [];
    const redactor = new Redactor();
    write(
      createLog((level, line) => lines.push(`${level} ${line}`), redactor, 'area'),
      redactor,
    );
    return lines.join('\n');
  };

  it('removes a known secret from every line, wherever it occurs', () => {
    const text = logged((log, redactor) => {
      redactor.add('s3cret-key');
      log.info('asked with s3cret-key');
      log.error('failed', new Error('for s3cret-key', { cause: new Error('because of s3cret-key') }));
      log.area('other').warn('s3cret-key');
    });
    assert.ok(!text.includes('s3cret-key'), text);
    assert.equal(text.match(/\[redacted\]/g)?.length, text.match(/asked|for |because|other/g)?.length);
  });

  for (const line of [
    'X-API-Key: abcdef0123',
    '{"x-api-key":"abcdef0123"}',
    'Authorization: Bearer abcdef0123',
    'GET /api/v2/x?api_key=abcdef0123&limit=1',
    'cookie=abcdef0123',
  ]) {
    it(`removes the value from ${line}, known or not`, () => {
      assert.ok(!logged((log) => log.info(line)).includes('abcdef0123'));
    });
  }

  it('keeps what is not secret', () => {
    assert.equal(
      logged((log) => log.info('block 12, 3 ms')),
      'info [area] block 12, 3 ms',
    );
  });
});
