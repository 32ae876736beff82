import { describe, expect, it } from 'vitest'
import { ComeAndGo } from '../../src/util/come-and-go.ts'
import { Random } from '../../src/util/random.ts'

describe('ComeAndGo', () => {
  it('holds what came and did not go, in order', () => {
    const random = new Random(20261124)
    const all = new ComeAndGo<number>()
    const model = new Map<number, () => void>()
    for (let i = 0; i < 2000; i++) {
      if (random.below(2) === 0) model.set(i, all.add(i))
      else {
        const some = [...model.keys()][random.below(Math.max(1, model.size))]
        if (some === undefined) continue
        model.get(some)!()
        // Once is enough.
        model.get(some)!()
        model.delete(some)
      }
      expect([...all]).toEqual([...model.keys()])
    }
    expect(model.size).toBeGreaterThan(2)
  })

  it('can be changed while it is gone through', () => {
    const all = new ComeAndGo<string>()
    const goes = ['a', 'b', 'c'].map(name => all.add(name))
    const met: string[] = []
    for (const name of all) {
      met.push(name)
      goes.forEach(go => {
        go()
      })
    }
    expect(met).toEqual(['a', 'b', 'c'])
    expect([...all]).toEqual([])
  })
})
