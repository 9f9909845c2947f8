import type { TextKey } from '../../locales/language.ts';
import type { PublicContent } from '../../server/http/public/public-parts.ts';
import { Crumb } from '../parts/elements.tsx';
import { page } from '../parts/layout.tsx';
import type { View } from '../view.ts';

export const notFoundPage = (view: View): PublicContent =>
  messagePage(view, 404, 'failure.notFoundTitle', 'site.notFound');

/** What the page needs could not be read: the service failed, or is still starting. */
export const failurePage = (view: View): PublicContent =>
  messagePage(view, 503, 'failure.unavailableTitle', 'site.unavailable');

function messagePage(view: View, status: 404 | 503, titleKey: TextKey, text: TextKey): PublicContent {
  const { t } = view.language;
  const title = t(titleKey);
  const children = (
    <section class="message">
      <h1>{title}</h1>
      <p>{t(text)}</p>
      {status === 404 && <Crumb view={view} />}
    </section>
  );
  return page({ view, title, children }, status);
}
