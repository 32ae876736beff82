/** Lamella as a server: open a database and serve it over HTTP. */

export type { ServedDatabase } from './embed/serve.ts'
export { serve } from './embed/serve.ts'
