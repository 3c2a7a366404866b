import type { JSX } from 'preact';

/** The arrowheads of messages' lines: `url(#arrow)`, and `url(#arrow-failed)`. */
export function Arrows(): JSX.Element {
  return (
    <defs>
      <Arrow id="arrow" />
      <Arrow id="arrow-failed" />
    </defs>
  );
}

function Arrow({ id }: { id: string }): JSX.Element {
  return (
    <marker
      id={id}
      viewBox="0 0 8 8"
      refX="8"
      refY="4"
      markerWidth="12"
      markerHeight="12"
      markerUnits="userSpaceOnUse"
      orient="auto"
    >
      <path d="M0,0.5L8,4L0,7.5Z" />
    </marker>
  );
}
