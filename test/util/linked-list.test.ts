import { describe, expect, it } from 'vitest'
import { LinkedList } from '../../src/util/linked-list.ts'
import { Random } from '../../src/util/random.ts'

describe('LinkedList', () => {
  it('holds what was added and not removed, in order', () => {
    const random = new Random(20261124)
    const all = new LinkedList<number>()
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

  it('can be changed while it is iterated', () => {
    const all = new LinkedList<string>()
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
