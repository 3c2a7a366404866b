import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../../scripts/lib/root.mjs';
import { grammarTokens, readGrammar } from '../../support/grammarTokens';

interface Manifest {
  contributes: {
    languages: { id: string; extensions?: string[] }[];
    grammars: { language: string; scopeName: string }[];
  };
}

const { contributes } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as Manifest;

describe('the colors of contract sources', () => {
  it('have the same language ids and scopes as other extensions for TON, so that those take precedence', () => {
    for (const [id, extensions] of [
      ['tolk', ['.tolk']],
      ['func', ['.fc', '.func']],
      ['tact', ['.tact']],
      ['tasm', ['.tasm']],
    ] as const) {
      assert.deepEqual(contributes.languages.find((one) => one.id === id)?.extensions, extensions);
      assert.equal(contributes.grammars.find(({ language }) => language === id)?.scopeName, `source.${id}`);
      assert.equal(readGrammar(id).scopeName, `source.${id}`);
    }
  });

  it('distinguish keywords, types, names, numbers, and comments in Tolk', () => {
    assert.deepEqual(grammarTokens('tolk', 'get fun isOwner(who: address): bool { // whose'), [
      ['get fun', 'keyword.other.function.tolk'],
      ['isOwner', 'entity.name.function.tolk'],
      [':', 'keyword.operator.tolk'],
      ['address', 'support.type.tolk'],
      [':', 'keyword.operator.tolk'],
      ['bool', 'support.type.tolk'],
      ['// whose', 'comment.line.double-slash.tolk'],
    ]);
    assert.deepEqual(grammarTokens('tolk', 'struct (0x11) AddGuardian {'), [
      ['struct', 'keyword.other.type.tolk'],
      ['AddGuardian', 'entity.name.type.tolk'],
    ]);
    assert.deepEqual(grammarTokens('tolk', 'assert (x <= 5) throw ERR_OVER_LIMIT;').slice(-2), [
      ['throw', 'keyword.control.tolk'],
      ['ERR_OVER_LIMIT', 'variable.other.constant.tolk'],
    ]);
  });

  it('distinguish instructions, registers, and numbers in assembly', () => {
    assert.deepEqual(grammarTokens('tasm', 'PUXC s1,s-1 // moves'), [
      ['PUXC', 'keyword.other.instruction.tasm'],
      ['s1', 'variable.other.register.tasm'],
      ['s-1', 'variable.other.register.tasm'],
      ['// moves', 'comment.line.double-slash.tasm'],
    ]);
    assert.deepEqual(grammarTokens('tasm', 'PUSHINT -10'), [
      ['PUSHINT', 'keyword.other.instruction.tasm'],
      ['-10', 'constant.numeric.tasm'],
    ]);
  });

  it('parse names and comments in FunC like FunC itself', () => {
    assert.deepEqual(grammarTokens('func', 'int seqno?() method_id { ;; of the wallet'), [
      ['int', 'support.type.func'],
      ['seqno?', 'entity.name.function.func'],
      ['method_id', 'storage.modifier.func'],
      [';; of the wallet', 'comment.line.double-semicolon.func'],
    ]);
    assert.deepEqual(grammarTokens('func', '#include "stdlib.fc";'), [
      ['#include', 'keyword.control.directive.func'],
      ['"stdlib.fc"', 'string.quoted.double.func'],
    ]);
  });

  it('include the declarations of Tact', () => {
    assert.deepEqual(
      grammarTokens('tact', 'message(0x7e8764ef) Add { amount: Int as uint32; }').slice(0, 2),
      [
        ['message', 'keyword.other.type.tact'],
        ['Add', 'entity.name.type.tact'],
      ],
    );
    assert.deepEqual(grammarTokens('tact', 'receive("increment") {')[0], [
      'receive',
      'entity.name.function.tact',
    ]);
  });
});
