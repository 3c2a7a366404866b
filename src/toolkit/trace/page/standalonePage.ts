import { fileURLToPath } from 'node:url';
import { readUserText } from '../../base/readUserFile';
import { builtWorker } from '../../base/serviceThread';
import type { TraceContext } from '../traceContext';
import type { TraceModel } from '../traceModel';
import { failedNodes } from '../verdict';
import type { PageOrigin } from './makeTracePage';
import { makeTracePage } from './makeTracePage';
import { pageDetails } from './pageDetails';
import type { StandaloneParts } from './standaloneHtml';
import { standaloneHtml } from './standaloneHtml';
import type { PageDetails, TracePage } from './tracePage';

/** Maximum transactions whose details are in a standalone file; failed ones come first. */
const mostDetails = 1_000;

/** What a page is made of. */
export interface PageSource {
  model: TraceModel;
  page: TracePage;
  /** The details of one of its transactions. */
  details: (index: number) => Promise<PageDetails | undefined>;
}

/**
 * A page as one file that opens anywhere, offline. In it there is no editor that could do anything.
 * @param built the page's own script and style sheet
 */
export async function standalonePage(
  { model, page, details: detailsOf }: PageSource,
  built: Pick<StandaloneParts, 'script' | 'style'>,
): Promise<string> {
  const failed = new Set(failedNodes(model).map(({ index }) => index));
  const order = [...page.nodes.keys()].sort((a, b) => Number(failed.has(b)) - Number(failed.has(a)));
  const details: PageDetails[] = [];
  for (const index of order.slice(0, mostDetails)) {
    const one = await detailsOf(index);
    if (one !== undefined) {
      details.push(withoutCommands(one));
    }
  }
  return standaloneHtml({ page: { ...page, commands: [] }, details, ...built });
}

/**
 * The page of a trace as one file, without an editor: script and style sheet are read from the folder of the built files.
 * @param title where the trace is from, such as the network's name; empty if that is not known
 * @param shown what kind of trace it is, and the picture it begins with
 */
export function tracePageFile(
  context: TraceContext,
  title: string,
  shown: Pick<PageOrigin, 'picture'> & Partial<Pick<PageOrigin, 'kind'>> = {},
): Promise<string> {
  const { model } = context;
  const file = fileURLToPath(builtWorker('webview/tracePage', import.meta.url));
  const script = readUserText(file, 'givenFile');
  const style = readUserText(file.replace(/\.js$/, '.css'), 'givenFile');
  const origin = { key: model.id ?? '', kind: 'happened', commands: [], ...shown } as const;
  return standalonePage(
    {
      model,
      page: makeTracePage(context, { ...origin, title, isPending: model.state === 'pending' }),
      details: (index) => {
        const node = model.nodes[index];
        return Promise.resolve(
          node === undefined ? undefined : pageDetails(node, context, { commands: [], isUndone: false }),
        );
      },
    },
    { script, style },
  );
}

function withoutCommands({ sections, ...details }: PageDetails): PageDetails {
  return {
    ...details,
    commands: [],
    sections: sections.map(({ title, rows }) => ({
      title,
      rows: rows.map(({ label, text, tone }) => ({ label, text, ...(tone === undefined ? {} : { tone }) })),
    })),
  };
}
