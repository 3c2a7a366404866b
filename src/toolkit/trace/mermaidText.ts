import { visibleText } from '../base/text';
import { isEmulated } from './isEmulated';
import { jettonsOfMessage } from './messageFacts';
import { failedOutcome } from './traceModel';
import type { TraceContext } from './traceContext';
import { nodeMessage, nodeResult } from './traceText';

/** Mermaid's limit; the rest is counted in a last node. */
const mostNodes = 400;

/**
 * The trace as a Mermaid flowchart: transactions as boxes, messages as arrows, failures red, bounces and emulations
 * dashed.
 */
export function mermaidText(context: TraceContext): string {
  const { nodes } = context.model;
  const shown = nodes.slice(0, mostNodes);
  const lines = ['flowchart TD'];
  for (const node of shown) {
    const account = node.account === undefined ? '?' : context.title(node.account);
    lines.push(`  t${node.index}["${quoted(account)}<br/>${quoted(nodeResult(node, context))}"]`);
  }
  for (const node of shown) {
    const { message } = node;
    const amounts = [
      message == null ? undefined : jettonsOfMessage(message, context),
      message?.value == null ? undefined : context.coins(message.value),
    ].filter((text) => text !== undefined);
    const label = [nodeMessage(node, context), amounts.join(', ')].filter((text) => text !== '').join(' ');
    const from = node.parent === undefined ? undefined : `t${node.parent.index}`;
    if (from === undefined) {
      lines.push(`  s${node.index}(("${quoted(rootLabel(label))}")) --> t${node.index}`);
    } else {
      const arrow = node.message?.bounced === true ? '-.->' : '-->';
      lines.push(`  ${from} ${arrow}|"${quoted(label)}"| t${node.index}`);
    }
  }
  if (nodes.length > mostNodes) {
    lines.push(`  more["… and ${nodes.length - mostNodes} more transactions"]`);
  }
  const failed = shown.filter(({ outcome }) => failedOutcome(outcome));
  if (failed.length > 0) {
    lines.push('  classDef failed stroke:#c00,stroke-width:2px;');
    lines.push(`  class ${failed.map((node) => `t${node.index}`).join(',')} failed;`);
  }
  const emulated = shown.filter(isEmulated);
  if (emulated.length > 0) {
    lines.push('  classDef emulated stroke-dasharray:6 4;');
    lines.push(`  class ${emulated.map((node) => `t${node.index}`).join(',')} emulated;`);
  }
  return `${lines.join('\n')}\n`;
}

function rootLabel(label: string): string {
  return label === '' ? 'start' : label;
}

/** Mermaid reads entity codes inside quotes; all potential markup is encoded that way. */
function quoted(text: string): string {
  return visibleText(text).replace(/[^\p{L}\p{N} .,:;/+\-_()…→↩✓✗·]/gu, (c) => `#${c.codePointAt(0) ?? 0};`);
}
