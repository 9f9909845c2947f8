import type { Made } from '../content.ts';
import type { View } from '../view.ts';
import { page } from './layout.tsx';
import { Crumb } from './parts.tsx';

export function notFoundPage(view: View): Made {
  const { t } = view.language;
  return page(
    {
      view,
      title: t('failure.notFoundTitle'),
      children: (
        <section class="message">
          <h1>{t('failure.notFoundTitle')}</h1>
          <p>{t('site.notFound')}</p>
          <Crumb view={view} />
        </section>
      ),
    },
    404,
  );
}

/** The service did not answer, or not yet. */
export function failurePage(view: View): Made {
  const { t } = view.language;
  return page(
    {
      view,
      title: t('failure.unavailableTitle'),
      children: (
        <section class="message">
          <h1>{t('failure.unavailableTitle')}</h1>
          <p>{t('site.unavailable')}</p>
        </section>
      ),
    },
    503,
  );
}
