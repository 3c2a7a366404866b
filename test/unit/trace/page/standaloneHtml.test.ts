import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { TraceContext } from '../../../../src/toolkit/trace/traceContext';
import { standaloneHtml } from '../../../../src/toolkit/trace/page/standaloneHtml';
import { modelFrom } from '../../../support/modelFrom';
import { tracePageOf } from '../../../support/tracePageOf';
import { chain, fakeAccount, syntheticTrace } from '../syntheticTrace';

const evil = '</script><script>alert(1)</script><!--\u2028 & "quoted"';

function htmlOf(script: string, style = 'p { color: red }'): string {
  const names = new Map([[fakeAccount(0).toLowerCase(), evil]]);
  const page = tracePageOf(new TraceContext(modelFrom(syntheticTrace(2, chain)), { names }));
  page.headline = evil;
  return standaloneHtml({ page, details: [], script, style });
}

/** The contents of the elements with this name. */
function elements(html: string, name: string): string[] {
  return html
    .split(`<${name}`)
    .slice(1)
    .map((rest) => rest.slice(rest.indexOf('>') + 1, rest.indexOf(`</${name}>`)));
}

describe('a page as a standalone file', () => {
  it('has the trace inside, from which nothing breaks out', () => {
    const html = htmlOf('start()');
    const [data = '', script] = elements(html, 'script');
    assert.equal(elements(html, 'script').length, 2);
    assert.equal(script, 'start()');
    const read = JSON.parse(data) as { page: { headline: string; accounts: { name: string }[] } };
    assert.equal(read.page.headline, evil);
    assert.ok(!/[<>&]/.test(data));
    assert.equal(elements(html, 'title')[0]?.startsWith('&#60;/script&#62;'), true);
  });

  it('admits nothing but the script and the styles that it has inside', () => {
    const html = htmlOf('start()');
    const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1] ?? '';
    const hash = (text = ''): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
    assert.ok(policy.includes(`default-src 'none'`));
    assert.ok(policy.includes(`script-src ${hash(elements(html, 'script')[1])};`));
    assert.ok(policy.includes(`style-src ${hash(elements(html, 'style')[0])};`));
    assert.ok(!policy.includes('unsafe'));
  });

  it('keeps a script whole that speaks of scripts', () => {
    const html = htmlOf('const text = "</script>" + "<!-- no comment";');
    const code = elements(html, 'script')[1] ?? '';
    // oxlint-disable-next-line typescript/no-implied-eval
    const run = new Function(`${code} return text;`) as () => string;
    assert.equal(run(), '</script><!-- no comment');
  });
});
