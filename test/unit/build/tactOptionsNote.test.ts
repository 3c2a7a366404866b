import assert from 'node:assert/strict';
import { tactOptionsNote } from '../../../src/toolkit/build/tactOptionsNote';

describe("a note on a Tact contract's build options", () => {
  const note = (files: Readonly<Record<string, string>>): string | undefined =>
    tactOptionsNote('/p/contracts/shop.tact', 'Shop', (path) => {
      const text = files[path];
      if (text === undefined) {
        throw new Error('no such file');
      }
      return text;
    });
  const compile =
    "export const compile = { lang: 'tact', target: 'contracts/shop.tact', options: { debug: true } };";

  it('says that the build may differ if the compile file sets options', () => {
    for (const folder of ['wrappers', 'compilables']) {
      const text = note({ [`/p/${folder}/Shop.compile.ts`]: compile });
      assert.match(
        text ?? '',
        /^Shop\.compile\.ts sets compiler options.*may have another code hash/,
        folder,
      );
    }
  });

  it('is not needed without options, for other contracts, or where tact.config.json takes precedence', () => {
    const plain = "export const compile = { lang: 'tact', target: 'contracts/shop.tact' };";
    assert.equal(note({ '/p/wrappers/Shop.compile.ts': plain }), undefined);
    assert.equal(note({ '/p/wrappers/Other.compile.ts': compile }), undefined);
    const config = '{"projects": [{"name": "Shop", "path": "contracts/shop.tact"}]}';
    assert.equal(note({ '/p/wrappers/Shop.compile.ts': compile, '/p/tact.config.json': config }), undefined);
  });
});
