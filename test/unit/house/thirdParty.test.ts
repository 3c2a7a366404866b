import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as CycloneDx from '@cyclonedx/cyclonedx-library';
import { compiledParts } from '../../../scripts/lib/compiledParts.mjs';
import type { ProductionBuild } from '../../support/productionBuild';
import { productionBuild } from '../../support/productionBuild';

interface Component {
  name: string;
  group?: string;
  version: string;
  licenses: unknown[];
  components?: Component[];
}

describe('third-party parts of the bundle', () => {
  let build: ProductionBuild;
  let notices: string;
  let bill: { components: Component[] };
  before(() => {
    build = productionBuild();
    notices = readFileSync(path.join(build.folder, 'THIRD-PARTY-NOTICES.txt'), 'utf8');
    bill = JSON.parse(readFileSync(path.join(build.folder, 'sbom.cdx.json'), 'utf8')) as typeof bill;
  });

  /** Name and version of each package with a byte in the output, straight from the metafile. */
  const bundled = (): string[] => {
    const inputs = Object.values(build.outputs).flatMap((output) => Object.entries(output.inputs));
    const folders = inputs.flatMap(([file, { bytesInOutput }]) => {
      const end = file.lastIndexOf('node_modules/');
      const name = /^(@[^/]+\/)?[^/]+/.exec(file.slice(end + 'node_modules/'.length))?.[0] ?? '';
      return end < 0 || bytesInOutput === 0 ? [] : [`${file.slice(0, end)}node_modules/${name}`];
    });
    const names = [...new Set(folders)].map((folder) => {
      const file = path.join(folder, 'package.json');
      const { name, version } = JSON.parse(readFileSync(file, 'utf8')) as Component;
      return `${name} ${version}`;
    });
    return [...new Set(names)].sort();
  };

  it('are listed with a license and a copyright line', () => {
    const names = bundled();
    assert.ok(names.length > 50, `${names.length} packages`);
    for (const name of names) {
      const start = notices.indexOf(`\n${name} (`);
      assert.ok(start > 0, name);
      const chapter = notices.slice(start, notices.indexOf(`\n${'='.repeat(80)}\n`, start + 200));
      assert.match(chapter, /copyright|brings no license file|unlicense|public domain/i, name);
    }
  });

  it('are in the bill of materials, which is valid CycloneDX', async () => {
    const listed = bill.components.map(
      ({ group, name, version }) => `${group === undefined ? '' : `${group}/`}${name} ${version}`,
    );
    assert.deepEqual(listed.sort(), bundled());
    assert.ok(bill.components.every(({ licenses }) => licenses.length > 0));
    const validator = new CycloneDx.Validation.JsonStrictValidator(CycloneDx.Spec.Version.v1dot6);
    assert.equal(await validator.validate(JSON.stringify(bill)), null);
  });

  it('include the sources of the WebAssembly modules', () => {
    for (const { name, inside, license, source } of compiledParts) {
      const [group, short] = inside.split('/');
      const carrier = bill.components.find((one) => one.group === group && one.name === short);
      assert.ok(
        carrier?.components?.some((part) => part.name === name),
        name,
      );
      assert.ok(notices.includes(source), source);
      for (const id of license.split(' WITH ').slice(0, 1)) {
        assert.ok(notices.includes(`The text of ${id}`), id);
      }
    }
  });
});
