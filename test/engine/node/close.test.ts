import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { bulk, createIndex, engineWith, search } from '../../support/engine-calls.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const folder = tempFolder('close')

it('reports a commit that failed, after the other indices are committed', async () => {
  const engine = await engineWith(folder)
  await createIndex(engine, 'lost')
  const [uuid] = readdirSync(join(folder, 'indices'))
  await createIndex(engine, 'kept')
  for (const name of ['kept', 'lost']) await bulk(engine, name, [{ index: {} }, { t: 'word' }])
  const path = join(folder, 'indices', uuid!, '0')
  rmSync(path, { recursive: true })
  writeFileSync(path, '')
  await expect(engine.close()).rejects.toThrow(/lost/)
  rmSync(path)
  const again = await engineWith(folder)
  expect((await search(again, 'kept', {})).hits.total.value).toBe(1)
  await again.close()
})
