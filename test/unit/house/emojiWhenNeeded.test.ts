import assert from 'node:assert/strict';
import { build } from 'esbuild';
import stringWidth from 'string-width';
import { emojiWhenNeeded } from '../../../scripts/lib/buildPlugins.mjs';
import { root } from '../../../scripts/lib/root.mjs';

describe('widths of texts in the product', () => {
  it('are those of string-width, also of emoji', async () => {
    const built = await build({
      absWorkingDir: root,
      stdin: { contents: "export { default } from 'string-width';", resolveDir: root },
      ...{ bundle: true, format: 'esm', write: false, plugins: [emojiWhenNeeded] },
    });
    const code = built.outputFiles[0]?.text ?? '';
    assert.match(code, /emoji \?\?=/);
    const url = `data:text/javascript;base64,${Buffer.from(code).toString('base64')}`;
    const { default: width } = (await import(url)) as { default: typeof stringWidth };
    const texts = ['plain', '日本', '👍', '👩‍👩‍👧', '🇺🇦', '1️⃣', '☺', '☺️', 'e\u0301', '✓ 🎉 done'];
    assert.deepEqual(
      texts.map((text) => width(text)),
      texts.map((text) => stringWidth(text)),
    );
    assert.deepEqual([width('👩‍👩‍👧'), width('日本')], [2, 4]);
  });
});
