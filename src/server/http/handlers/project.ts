import { findSupport } from '../../store/repositories/projects/projects.ts';
import type { Handler } from './handler.ts';

export const getProject: Handler<'getProject'> = async (_parameters, { application, db, supportUrl }) => {
  const { id, name, slug } = application.project;
  const address = supportUrl === null ? null : `${supportUrl.replace(/\/+$/, '')}/${slug}`;
  return { project: { id, name, slug, supportUrl: address }, support: await findSupport(db, id) };
};
