import type { PublicContent } from '../../server/http/public/public-parts.ts';
import { Cards } from '../parts/elements.tsx';
import { page } from '../parts/layout.tsx';
import { Letter } from '../parts/mark.tsx';
import { href, type View, type ViewedProject } from '../view.ts';

/** The first page where several projects have a page, or none: each with a link. */
export function projectsPage(view: View, projects: readonly ViewedProject[]): PublicContent {
  const { t } = view.language;
  return page({
    view,
    title: null,
    children: (
      <>
        <h1 class="hidden">{t('site.projects')}</h1>
        {projects.length === 0 && <p>{t('site.notFound')}</p>}
        <Cards>
          {projects.map((project) => (
            <article class="card project">
              <Letter project={project} />
              <div>
                <h2>
                  <a href={href({ ...view, project }, '')}>{project.title}</a>
                </h2>
                {project.description !== null && <p class="dim">{project.description}</p>}
              </div>
            </article>
          ))}
        </Cards>
      </>
    ),
  });
}
