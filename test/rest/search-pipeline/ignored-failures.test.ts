import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { LogLine } from '../../../src/engine/api/log-line.ts'
import { openRest, type Rest } from '../../support/rest-calls.ts'

const lines: LogLine[] = []
let rest: Rest
beforeAll(async () => {
  rest = await openRest({}, null, { onLog: line => void lines.push(line) })
  await rest.call('PUT /b/_doc/1?refresh=true', { k: 'x' })
})
afterAll(() => rest.close())
beforeEach(() => {
  lines.length = 0
})

const FAILING = { rename_field: { field: 'none', target_field: 'a', ignore_failure: true } }
const BROKEN = { script: { source: "ctx._source['size'] = -1", ignore_failure: true } }

/** The real server logs the failure behind the same text. */
const line = (half: string, type: string, id: string): object => ({
  logger: 'org.opensearch.search.pipeline.Pipeline',
  level: 'WARN',
  message: expect.stringMatching(
    `^The exception from ${half} processor \\[${type}\\] in the search pipeline \\[${id}\\] was ignored: .*illegal_argument_exception: `,
  ),
})

describe('a processor of a search pipeline that fails and is ignored', () => {
  it('leaves a line in the log, of its half and its pipeline', async () => {
    const pipeline = { request_processors: [BROKEN], response_processors: [FAILING] }
    await rest.call('PUT /_search/pipeline/p', pipeline)
    const { status } = await rest.call('GET /b/_search?search_pipeline=p', {})
    expect(status).toBe(200)
    expect(lines).toEqual([line('request', 'script', 'p'), line('response', 'rename_field', 'p')])
  })

  it('leaves one where the pipeline stands in the search', async () => {
    const search_pipeline = { response_processors: [FAILING] }
    await rest.call('GET /b/_search', { search_pipeline })
    expect(lines).toEqual([line('response', 'rename_field', '_ad_hoc_pipeline')])
  })

  it('leaves none where the failure ends the search, which tells of it', async () => {
    const { rename_field } = FAILING
    const failing = { rename_field: { ...rename_field, ignore_failure: false } }
    const { status } = await rest.call('GET /b/_search', {
      search_pipeline: { response_processors: [failing] },
    })
    expect(status).toBe(400)
    expect(lines).toEqual([])
  })
})
