import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { iconAddress } from '../assets.ts';
import { imageAddress, type ProjectView, type View, type ViewedProject } from '../view.ts';

/** The project's colour along the top of the page, as on the picture of a link, or in place of a banner. */
export function Band({ colour, kind = 'band' }: { colour: string; kind?: 'band' | 'banner' }): VNode {
  return (
    <svg class={kind} aria-hidden="true">
      <rect width="100%" height="100%" fill={colour} />
    </svg>
  );
}

/** The project's logo, or where it has none, its letter. */
export function Mark({ view }: { view: ProjectView }): VNode {
  const logo = imageAddress(view, 'logo');
  if (logo === null) return <Letter project={view.project} />;
  return <img class="mark" src={logo} width="40" height="40" alt="" />;
}

/** The first letter of a project on its colour. */
export function Letter({ project: { accentColor, title } }: { project: ViewedProject }): VNode {
  const first = new Intl.Segmenter('en').segment(title).containing(0)?.segment.toUpperCase() ?? '';
  return (
    <svg
      class="mark"
      xmlns="http://www.w3.org/2000/svg"
      viewBox="0 0 40 40"
      width="40"
      height="40"
      aria-hidden="true"
    >
      <rect width="40" height="40" rx="10" fill={accentColor} />
      <text
        x="20"
        y="27"
        text-anchor="middle"
        font-family="sans-serif"
        font-size="20"
        font-weight="700"
        fill={inkOn(accentColor)}
      >
        {first}
      </text>
    </svg>
  );
}

/** The address of the picture in the browser's tab. */
export function iconOf(view: View): string {
  const { project } = view;
  if (project === null) return iconAddress;
  const logo = imageAddress(view, 'logo');
  return logo ?? `data:image/svg+xml,${encodeURIComponent(renderToString(<Letter project={project} />))}`;
}

/** Black or white, whichever can be read better on a colour. By its brightness (ITU-R BT.601), from 0 to 255. */
function inkOn(colour: string): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  return 0.299 * red + 0.587 * green + 0.114 * blue > 140 ? '#000' : '#fff';
}
