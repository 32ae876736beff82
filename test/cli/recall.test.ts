import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { open } from '../../src/embed/open.ts'
import { runCli } from '../support/cli-process.ts'
import { damageGraphs } from '../support/damage-graphs.ts'
import { clusteredVectors } from '../support/graph-fixture.ts'
import { tempFolder } from '../support/temp-folder.ts'

const data = tempFolder('recall')
const COUNT = 1500
const SEED = 20261125

beforeAll(async () => {
  await using db = await open(data)
  const method = (name: string): object => ({
    type: 'knn_vector',
    dimension: 12,
    method:
      name === 'flat'
        ? { name, engine: 'lucene' }
        : { name, engine: 'faiss', parameters: { m: 4, ef_construction: 30 } },
  })
  await db.request({
    method: 'PUT',
    path: '/vectors',
    body: {
      settings: { 'index.knn': true, 'index.knn.advanced.approximate_threshold': 0 },
      mappings: { properties: { v: method('hnsw'), flat: method('flat') } },
    },
  })
  const vectors = clusteredVectors(COUNT, 12, { clusters: 30, spread: 0.8, seed: SEED })
  const lines = vectors.flatMap((v, i) => [
    JSON.stringify({ index: { _id: `${i}` } }),
    JSON.stringify({ v, ...(i < 10 ? { flat: v } : {}) }),
  ])
  const bulk = await db.request({
    method: 'POST',
    path: '/vectors/_bulk?refresh=true',
    body: `${lines.join('\n')}\n`,
  })
  expect(((await bulk.json()) as { errors: boolean }).errors).toBe(false)
  await db.request({ method: 'POST', path: '/vectors/_flush' })
})

describe('lamella recall', () => {
  it('measures recall over candidates, which a scan of all ends', async () => {
    const args = ['recall', 'vectors', 'v', '--data', data, '--queries', '40', '--k', '5']
    const ef = ['--ef', '5', '--ef', '40', '--ef', '1500']
    const { code, stdout, stderr } = await runCli([...args, ...ef, '--json'])
    expect([code, stderr]).toEqual([0, ''])
    const report = JSON.parse(stdout)
    expect([report.k, report.queries]).toEqual([5, 40])
    const [few, some, all] = report.points
    expect([few.ef, some.ef, all.ef]).toEqual([5, 40, 1500])
    expect(few.recall).toBeGreaterThan(0.4)
    expect(few.recall).toBeLessThan(some.recall)
    expect(some.recall).toBeGreaterThanOrEqual(0.9)
    expect(all.recall).toBe(1)
    for (const { microsPerQuery } of report.points) expect(microsPerQuery).toBeGreaterThan(0)
    const again = JSON.parse((await runCli([...args, ...ef, '--json'])).stdout)
    expect(again.points.map((point: { recall: number }) => point.recall)).toEqual(
      report.points.map((point: { recall: number }) => point.recall),
    )
  })

  it('draws the curve', async () => {
    const { stdout } = await runCli(['recall', 'vectors', 'v', '--data', data, '--ef', '60'])
    const [summary, head, row, last] = stdout.split('\n')
    expect(summary).toBe('recall@10 of searches for 100 vectors of documents')
    expect(head).toMatch(/^ *ef +recall +µs a search/)
    expect(row).toMatch(/^ *60 +(0\.9\d\d|1\.000) +\d+ +█{30,40}/)
    expect(last).toMatch(/^ *all +1\.000 +\d+ +every vector compared/)
  })

  it.each([
    [['v', '--ef', '0'], 2, '--ef takes a whole number from 1 to 10000, found [0]'],
    [['v', '--k', 'x'], 2, '--k takes a whole number from 1 to 10000, found [x]'],
    [['none'], 1, 'no document of [vectors] has [none]'],
    [['flat'], 1, "Unknown parameter 'ef_search' found"],
  ])('refuses %j', async (args, code, words) => {
    const run = await runCli(['recall', 'vectors', ...args, '--data', data])
    expect(run.stderr).toContain(words)
    expect(run.code).toBe(code)
  })
})

describe('lamella inspect --sections', () => {
  it('shows the levels of graphs, and how many neighbours their nodes have', async () => {
    const { code, stdout } = await runCli(['inspect', data, '--sections'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/index +shard +segment +level +nodes +neighbours, least +mean +most/)
    expect(stdout).toMatch(/vectors +0 +\S+ +0 +[\d,.  ]+ +[\d]+ +\d\.\d +8 +v/)
    const report = JSON.parse((await runCli(['inspect', data, '--sections', '--json'])).stdout)
    const graphs = report.shards[0].segments.flatMap((each: { graphs: object[] }) => each.graphs)
    expect(graphs.length).toBeGreaterThan(0)
    const [{ field, m, levels }] = graphs
    expect([field, m]).toEqual(['v', 4])
    expect(levels.length).toBeGreaterThan(1)
    for (const [i, { nodeCount, minDegree, meanDegree, maxDegree }] of levels.entries()) {
      expect(maxDegree).toBeLessThanOrEqual(i === 0 ? 8 : 4)
      expect(meanDegree).toBeGreaterThanOrEqual(minDegree)
      expect(meanDegree).toBeLessThanOrEqual(maxDegree)
      if (i > 0) expect(nodeCount).toBeLessThanOrEqual(levels[i - 1].nodeCount)
    }
    const plain = JSON.parse((await runCli(['inspect', data, '--json'])).stdout)
    expect(plain.shards[0].segments[0].graphs).toBeUndefined()
  })

  it('tells of a damaged graph, and goes on', async () => {
    const copy = join(tempFolder('recall-damaged'), 'data')
    cpSync(data, copy, { recursive: true })
    expect(damageGraphs(copy)).toBeGreaterThan(0)
    const { code, stdout } = await runCli(['inspect', copy, '--sections'])
    expect(code).toBe(1)
    expect(stdout).toMatch(
      /damaged: \S+\.seg at byte \d+: expected checksum \w+ of section \[vectorGraph\]/,
    )
    expect(stdout).toMatch(/vectorGraph +/)
  })
})
