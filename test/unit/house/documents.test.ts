import type { Command } from 'commander';
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { renderHouse } from '../../../scripts/lib/renderHouse.mjs';
import { root } from '../../../scripts/lib/root.mjs';
import { createProgram } from '../../../src/cli/commandLine';
import { controlApi } from '../../../src/toolkit/localnet/control/controlApi';
import { everyScenario } from '../../../src/toolkit/webhook/send/scenariosOf';

const documents = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.md') && !/^(node_modules|dist|\.cache|test-results)\//.test(file));

const scripts = Object.keys(
  (JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { scripts: object }).scripts,
);

describe('the documents', () => {
  it('link only to files that exist', () => {
    const broken = documents.flatMap((document) => {
      const links = [...readFileSync(path.join(root, document), 'utf8').matchAll(/\]\(([^)\s]+)\)/g)];
      return links
        .map(([, target = '']) => target.replace(/#.*$/, ''))
        .filter((target) => target !== '' && !/^[a-z]+:/.test(target))
        .filter((target) => !existsSync(path.resolve(root, path.dirname(document), target)))
        .map((target) => `${document}: ${target}`);
    });
    assert.deepEqual(broken, []);
  });

  it('name only paths that exist', () => {
    const broken = documents.flatMap((document) => {
      const names = [...readFileSync(path.join(root, document), 'utf8').matchAll(/`([^`\n]+)`/g)];
      return names
        .map(([, name = '']) => name.replace(/\/\*\*?.*$/, ''))
        .filter((name) => /^(src|test|bench|scripts|media|examples|\.github|\.ci)\/[\w./-]*$/.test(name))
        .filter(
          (name) =>
            ![root, path.join(root, path.dirname(document))].some((at) => existsSync(path.join(at, name))),
        )
        .map((name) => `${document}: ${name}`);
    });
    assert.deepEqual(broken, []);
  });

  it('name only npm scripts that exist', () => {
    const named = documents.flatMap((document) => {
      const text = readFileSync(path.join(root, document), 'utf8');
      return document.startsWith('examples/')
        ? []
        : [...text.matchAll(/\bnpm (?:run )?(start|test|(?<=run )[\w:-]+)/g)].map(([, name = '']) => name);
    });
    assert.ok(named.includes('start') && named.includes('test'));
    assert.deepEqual(
      named.filter((name) => !scripts.includes(name)),
      [],
    );
  });

  it('name every option of every command', () => {
    const options = (command: Command): string[] => [
      ...command.options.flatMap(({ long, hidden }) => (long == null || hidden ? [] : [long])),
      ...command.commands.flatMap(options),
    ];
    const texts = documents
      .filter((document) => document === 'README.md' || document.startsWith('docs/'))
      .map((document) => readFileSync(path.join(root, document), 'utf8'))
      .join('\n');
    const all = [...new Set(options(createProgram()))];
    assert.ok(all.length > 60, all.join());
    assert.deepEqual(
      all.filter((option) => option !== '--version' && !new RegExp(`${option}(?![\\w-])`).test(texts)),
      [],
    );
  });

  it('show the house as it is: each room of the toolkit on its floor', () => {
    assert.ok(readFileSync(path.join(root, 'docs/architecture.md'), 'utf8').includes(renderHouse()));
    const rooms = renderHouse().match(/^ {4}\w+\["/gm) ?? [];
    assert.ok(rooms.length > 30 && rooms.length <= 40, String(rooms.length));
  });

  it('list every control command and every scenario', () => {
    const control = readFileSync(path.join(root, 'docs/local-network.md'), 'utf8');
    const rows = control.split('\n');
    for (const [name, { method, purpose, parameters }] of Object.entries(controlApi)) {
      const list = Object.entries(parameters ?? {}).map(([one, presence]) =>
        presence === 'optional' ? `${one}?` : one,
      );
      const row = `- \`${method} ${name}\`${list.length === 0 ? '' : ` (${list.join(', ')})`}: ${purpose}`;
      assert.ok(rows.includes(row), row);
    }
    const send = createProgram()
      .commands.find((command) => command.name() === 'webhook')
      ?.commands.find((command) => command.name() === 'send');
    const help = send?.helpInformation().replaceAll(/\s+/g, ' ') ?? '';
    const webhooks = readFileSync(path.join(root, 'docs/webhooks.md'), 'utf8');
    for (const { name, title } of everyScenario) {
      assert.ok(webhooks.includes(`| \`${name}\``) && webhooks.includes(title), name);
      assert.match(help, new RegExp(`[ ,]${name}[,.\\s]`), name);
    }
  });
});
