import assert from 'node:assert/strict';
import { signatureText } from '../../../src/toolkit/contracts/abi/getMethodSignature';
import { readProject } from '../../../src/toolkit/contracts/abi/readProject';

const shared = `
int now() asm "NOW";
slice begin_parse(cell c) asm "CTOS";
cell preload_ref(slice s) asm "PLDREF";
;; global int not_this;
global slice owner, cell content;
global int total;
const int version::major = 3;
const tag = "jar";
`;
const getters = `
_ data() method_id { load(); return (owner, total, content, version::major, tag); }
_ one() method_id { return total; }
_ texts() method_id { return ("a", "b"c, 0x1f, -1); }
_ local(int given) method_id {
  int doubled = given * 2;
  var sum = doubled + total;
  var part = content.begin_parse().preload_ref();
  return (sum, part, given << 2, now());
}
(int, slice) declared() method_id { return (1, owner); }
_ branches(int x) method_id { if (x) { return (0, owner); } return (total, owner); }
_ differs(int x) method_id { if (x) { return (0, owner); } return total; }
_ unknown_part() method_id { return (total, null()); }
_ ternary(int x) method_id { return x ? owner : content; }
_ nothing() method_id { return (); }
`;

describe('get-methods in FunC that leave their result to the compiler', () => {
  it('have the types that the returned values are declared with, wherever that is', async () => {
    const files = {
      'jar.fc': '#include "shared.fc";\n#include "get.fc";\n() recv_internal() { }\n',
      'shared.fc': shared,
      'get.fc': getters,
    };
    const project = await readProject(
      Object.entries(files).map(([path, text]) => ({ path, text })),
      (path, error) => assert.fail(`${path}: ${String(error)}`),
    );
    const jar = project.find(({ file }) => file === 'jar.fc');
    assert.deepEqual(
      jar?.methods.map((method) => signatureText(method)),
      [
        'data(): (slice, int, cell, int, slice)',
        'one(): int',
        'texts(): (slice, int, int, int)',
        'local(given: int): (int, cell, int, int)',
        'declared(): (int, slice)',
        'branches(x: int): (int, slice)',
        'differs(x: int): unknown',
        'unknown_part(): unknown',
        'ternary(x: int): unknown',
        'nothing()',
      ],
    );
  });
});
