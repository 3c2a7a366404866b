import { toolkitFloors } from './toolkitFloors.mjs';

/** @param {string} id @param {string} title @param {readonly string[]} rooms @returns {string} */
const floor = (id, title, rooms) =>
  `  subgraph ${id}["${title}"]\n    direction LR\n${rooms.map((room) => `    ${room}["${room}"]`).join('\n')}\n  end`;

/**
 * The picture of the house in docs/architecture.md: every room of the toolkit on its floor, and who stands above.
 * Imports run down, so one arrow between floors says it all.
 * @returns {string} Mermaid, in a fence
 */
export const renderHouse = () => {
  const inside = toolkitFloors.map(([about, ...rooms], index) => floor(`f${index}`, about, rooms));
  const arrows = toolkitFloors.slice(1).map((_, index) => `  f${index} --> f${index + 1}`);
  return [
    '```mermaid',
    'flowchart TD',
    floor('top', 'what people use', ['editor', 'cli', 'library', 'webview']),
    ...inside,
    '  top --> f0',
    ...arrows,
    '```',
  ].join('\n');
};
