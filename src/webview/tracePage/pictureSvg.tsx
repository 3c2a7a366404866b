import type { JSX } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { flowLayout } from './flowLayout';
import { FlowParts, scaleOf } from './flowView';
import { legendOf, MeasureSample } from './legend';
import type { LegendProperties } from './legend';
import { moneyLayout } from './moneyLayout';
import { MoneyParts } from './moneyView';
import { isCompared } from './pageText';
import { sequenceLayout } from './more';
import { laneName, SequenceParts } from './sequenceView';

const margin = 24;
const lineHeight = 18;
/** The room that letters of the heading and of the texts below it need on average. */
const headingLetter = 8.5;
const textLetter = 6.8;
/** Left of the legend's first line. */
const sampleWidth = 60;

/**
 * The whole picture as an SVG file: with its heading, a legend, and every name, in colors of its own, without scripts or
 * links. Texts are escaped.
 */
export function pictureSvg(exported: LegendProperties): string {
  const { page } = exported;
  const drawn = draw(exported);
  const inner = Math.ceil(Math.max(drawn.width, 640));
  const heading = wrapped(`${page.verdict.symbol} ${page.headline}`, inner / headingLetter);
  const facts = [
    ...(page.verdict.isFailed ? wrapped(page.verdict.text, inner / textLetter) : []),
    ...wrapped(page.facts, inner / textLetter),
  ];
  const legend = legendOf(exported).flatMap((sentence) =>
    wrapped(sentence, (inner - sampleWidth) / textLetter),
  );
  const texts = [...facts, ...legend];
  const sampled = exported.picture === 'flow' ? heading.length + facts.length : -1;
  const above = (heading.length + texts.length) * lineHeight + 12;
  const width = inner + 2 * margin;
  const height = Math.ceil(drawn.height) + above + 2 * margin;
  const svg = (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      class="picture"
    >
      <title>{page.headline}</title>
      <style>{exportedStyle}</style>
      <rect class="paper" width="100%" height="100%" />
      {[...heading, ...texts].map((line, index) => (
        <text
          key={index}
          class={index < heading.length ? 'heading' : 'quiet'}
          x={margin + (index === sampled ? sampleWidth : 0)}
          y={margin + 8 + index * lineHeight}
        >
          {line}
        </text>
      ))}
      {sampled < 0 ? null : (
        <g transform={`translate(${margin} ${margin - 2 + sampled * lineHeight})`}>
          <MeasureSample measure={exported.measure} />
        </g>
      )}
      <g transform={`translate(${margin} ${margin + above})`}>{drawn.content}</g>
    </svg>
  );
  // XML, unlike HTML, has no text with the end of a CDATA section.
  return `${renderToString(svg).replaceAll(']]>', ']]&gt;')}\n`;
}

/** A text in lines of so many letters; a longer word is broken. */
function wrapped(text: string, letters: number): string[] {
  const most = Math.floor(letters);
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (longer.length <= most) {
      line = longer;
      continue;
    }
    if (line !== '') {
      lines.push(line);
    }
    line = word;
    for (; line.length > most; line = line.slice(most)) {
      lines.push(line.slice(0, most));
    }
  }
  return [...lines, line];
}

function draw({ page, tree, picture, measure }: LegendProperties): {
  width: number;
  height: number;
  content: JSX.Element;
} {
  const properties = { page, tree, selected: -1, collapsed: none, hits: none, measure };
  switch (picture) {
    case 'flow': {
      const layout = flowLayout(tree, isCompared(page));
      const scale = scaleOf(page, layout, measure);
      const content = <FlowParts boxes={layout.placed} {...{ layout, properties, scale, zoom: 1 }} />;
      return { width: layout.width + 60, height: layout.height, content };
    }
    case 'sequence': {
      const layout = sequenceLayout(page.nodes, tree);
      const content = (
        <>
          <g class="lane-heads">
            {layout.lanes.map((lane) => (
              <text key={lane.x} x={lane.x} y={0}>
                {laneName(page, lane)}
              </text>
            ))}
          </g>
          <SequenceParts {...{ layout, properties, events: layout.events, withText: true }} />
        </>
      );
      return { width: layout.width, height: layout.height, content };
    }
    case 'money': {
      let top = 0;
      let width = 0;
      const parts = page.money.map((asset) => {
        const layout = moneyLayout(asset);
        const at = top;
        top += layout.height + 40;
        width = Math.max(width, layout.width);
        return (
          <g key={asset.title} transform={`translate(0 ${at})`}>
            <text class="heading" x={0} y={16}>
              {asset.title}
            </text>
            <MoneyParts {...{ layout, asset, account: -1 }} />
          </g>
        );
      });
      return { width, height: top, content: <>{parts}</> };
    }
  }
}

const none: ReadonlySet<number> = new Set();

/** Fixed colors, so that the file is readable on any page. */
const exportedStyle = `
text { font: 12px system-ui, sans-serif; fill: #1f2328; }
.paper { fill: #ffffff; }
.heading { font-size: 15px; font-weight: 600; }
.quiet, .value, .result, .band text { fill: #59636e; }
.edge path, .arrow { fill: none; stroke: #8c959f; }
.edge text { font-size: 11px; }
.edge.failed path, .edge.partial path, .event.failed .arrow, .event.partial .arrow { stroke: #b3261e; }
.bounced path { stroke-dasharray: 5 4; }
#arrow path { fill: #8c959f; }
#arrow-failed path { fill: #b3261e; }
.frame { fill: #ffffff; stroke: #8c959f; }
.box.ok .frame { stroke: #1a7f37; }
.box.failed .frame, .box.partial .frame { stroke: #b3261e; stroke-width: 1.5; }
.box.failed .result, .box.partial .result { fill: #b3261e; }
.box.emulated .frame { stroke-dasharray: 6 4; }
.box.compared-changed .frame { stroke: #9a6700; stroke-width: 2.5; }
.box.compared-added .frame { stroke: #1a7f37; stroke-width: 2.5; }
.box.compared-missing .frame { stroke: #b3261e; stroke-dasharray: 3 3; }
.box.compared-same .frame { stroke: #8c959f; }
.heat { fill: #d1690f; }
.letter { font-weight: 700; fill: #0969da; }
.more rect { fill: #eaeef2; }
.more text { text-anchor: middle; font-size: 11px; }
.reach { fill: none; stroke: none; }
.life { fill: #59636e; }
.event.failed .life, .event.partial .life { fill: #b3261e; }
.before, .left { text-anchor: end; }
.lane { stroke: #d1d9e0; }
.spans { fill: none; stroke: #8c959f; stroke-width: 4; stroke-opacity: 0.6; }
.lane-heads text { text-anchor: middle; font-weight: 600; }
.band rect { fill: #ffffff; }
.band.odd rect { fill: #f6f8fa; }
.flow-band { fill: none; stroke: #0969da; stroke-opacity: 0.35; }
.flow-band.fees, .flow-band.burned { stroke: #8c959f; stroke-opacity: 0.25; }
.bar text { paint-order: stroke; stroke: #ffffff; stroke-width: 3px; }
.bar rect { fill: #0969da; }
.bar.fees rect { fill: #8c959f; }
`;
