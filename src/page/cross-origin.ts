/** Headers of pictures, which pages of others may show. */
export const crossOrigin = ['Cross-Origin-Resource-Policy', 'cross-origin'] as const;
