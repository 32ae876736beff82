// wink-bm25-text-search as a child of the rivals' bench.
import { readFileSync } from 'node:fs'
import bm25 from 'wink-bm25-text-search'
import { serve } from '../child-loop.mjs'
import {
  buildInMemory,
  packageOf,
  plainAnswer,
  refuseUnless,
  saved,
  shapeOf,
  wordsOf,
} from './token-documents.mjs'

const { version } = JSON.parse(
  readFileSync(new URL('node_modules/wink-bm25-text-search/package.json', import.meta.url), 'utf8'),
)

const index = bm25()
index.defineConfig({ fldWeights: { text: 1 }, ovFldNames: ['package'] })
index.definePrepTasks([wordsOf])

await serve({
  hello: { version: `wink-bm25-text-search ${version}`, runtime: `Node ${process.version}` },
  build: (file, folder) =>
    buildInMemory(file, folder, {
      add: document => index.addDoc(document, String(document.line)),
      finish: () => index.consolidate(),
      save: () => [index.exportJSON()],
    }),
  open(folder) {
    for (const text of saved(folder)) index.importJSON(text)
  },
  prepare(_mode, _slices, clauses) {
    const shape = shapeOf(clauses)
    const { must, should, not, other } = shape
    refuseUnless(other === null, `no ${other?.kind}`)
    refuseUnless(must.length < 2 && not.length === 0, 'no required or forbidden words')
    refuseUnless(must.length === 0 || should.length === 0, 'no optional words beside required ones')
    const origin = packageOf(shape)
    const filter = origin === null ? undefined : values => values.package === origin
    const text = [...must, ...should].join(' ')
    return () => index.search(text, 10, filter)
  },
  answer: hits => plainAnswer(hits.map(([line]) => Number(line))),
  close() {},
})
