import { plainName } from '../abi/projectContract';
import type { BuiltContract } from '../build/readBuiltContract';
import type { DiagnosedProject, Finding } from './diagnosedProject';

/** What the project's build has written, and whether it is still what the sources give. */
export function artifactFindings(
  { files, contracts, modified, now }: DiagnosedProject,
  codes: ReadonlyMap<string, readonly BuiltContract[]>,
): Finding[] {
  const broken = files.flatMap(({ path, text }) =>
    /\.(?:json|pkg|abi)$/.test(path) && !isJson(text) ? [path] : [],
  );
  const empty = files.flatMap(({ path, text }) =>
    path.endsWith('.compiled.json') && isJson(text) && !contracts.some(({ file }) => file === path)
      ? [path]
      : [],
  );
  const built = contracts.filter(
    ({ file, codeHash }) => codeHash !== undefined && /\.(?:json|pkg)$/.test(file),
  );
  const wrong = built.flatMap((artifact): Finding[] => {
    const [source, current] =
      [...codes]
        .flatMap(([file, list]) => list.map((one) => [file, one] as const))
        .find(([file, one]) =>
          artifact.source === undefined || !codes.has(artifact.source)
            ? plainName(one.name) === plainName(artifact.name)
            : file === artifact.source &&
              (codes.get(file)?.length === 1 || plainName(one.name) === plainName(artifact.name)),
        ) ?? [];
    if (artifact.hasChanged === true && artifact.source !== undefined) {
      return [
        {
          ...{ subject: 'artifacts', state: 'wrong' },
          text: `${artifact.file}${ageOf(modified(artifact.file), now)} is older than its source: ${artifact.source}, or a file that it imports, has changed since.`,
          next: "Run the project's build again; until then, the file is of the older text.",
        },
      ];
    }
    return source === undefined || current?.codeHash === artifact.codeHash
      ? []
      : [
          {
            ...{ subject: 'artifacts', state: 'wrong' },
            text: `${artifact.file}${ageOf(modified(artifact.file), now)} has other code than ${source} compiles to.`,
            next: "Run the project's build again; until then, the file is of older code or of another compiler.",
          },
        ];
  });
  const next = "Run the project's build again.";
  const unreadable = [
    ...broken.map((file) => `${file} is not JSON, so nothing of it is used.`),
    ...empty.map((file) => `${file} has no code that can be read.`),
  ].map((text): Finding => ({ subject: 'artifacts', state: 'wrong', text, next }));
  const good: Finding[] =
    built.length > wrong.length
      ? [
          {
            subject: 'artifacts',
            state: 'good',
            text: `${built.length - wrong.length} files of build output are used.`,
          },
        ]
      : [];
  return [...unreadable, ...wrong, ...good];
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function ageOf(written: number | undefined, now: number): string {
  const days = written === undefined ? 0 : Math.floor((now - written) / 86_400_000);
  return days < 1 ? '' : days === 1 ? ' (1 day old)' : ` (${days} days old)`;
}
