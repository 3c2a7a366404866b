import type { SourceCoverage } from './coverageBook';

/** Coverage in the format of lcov (geninfo's tracefile). */
export function lcovText(files: readonly SourceCoverage[], nameOf: (file: string) => string): string {
  return files
    .flatMap(({ file, lines, functions, branches }) => {
      const ways = branches.flatMap((branch) => branch.ways);
      return [
        'TN:',
        `SF:${nameOf(file)}`,
        ...functions.map(({ name, line }) => `FN:${line},${name}`),
        ...functions.map(({ name, calls }) => `FNDA:${calls},${name}`),
        `FNF:${functions.length}`,
        `FNH:${functions.filter(({ calls }) => calls > 0).length}`,
        ...branchLines(branches),
        `BRF:${ways.length}`,
        `BRH:${ways.filter((hits) => hits > 0).length}`,
        ...[...lines].map(([line, hits]) => `DA:${line},${hits}`),
        `LF:${lines.size}`,
        `LH:${[...lines.values()].filter((hits) => hits > 0).length}`,
        'end_of_record',
        '',
      ];
    })
    .join('\n');
}

/** `BRDA:line,block,way,hits`: a line's choices are its blocks. A choice that execution never came to has `-`. */
function branchLines(branches: SourceCoverage['branches']): string[] {
  const blocks = new Map<number, number>();
  return branches.flatMap(({ line, ways }) => {
    const block = blocks.get(line) ?? 0;
    blocks.set(line, block + 1);
    const isReached = ways.some((hits) => hits > 0);
    return ways.map((hits, way) => `BRDA:${line},${block},${way},${isReached ? hits : '-'}`);
  });
}
