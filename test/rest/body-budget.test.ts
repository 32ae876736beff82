import { describe, expect, it } from 'vitest'
import { BodyBudget } from '../../src/rest/body-budget.ts'
import { Settings } from '../../src/schema/settings.ts'

const KEY = 'network.breaker.inflight_requests.limit'

function budgetOf(limit: string): BodyBudget {
  return new BodyBudget(new Settings([[KEY, limit]]))
}

describe('the budget for request bodies', () => {
  it('refuses what does not fit beside what is held', () => {
    const budget = budgetOf('1000b')
    const first = budget.open()
    first.add(600)
    first.add(100)
    const second = budget.open()
    second.add(300)
    expect(() => second.add(1)).toThrow(
      '[in_flight_requests] Data too large, data for [<http_request>] would be [1001/1001b], ' +
        'which is larger than the limit of [1000/1000b]',
    )
    first.release()
    second.add(700)
    expect(() => second.add(1)).toThrow('Data too large')
  })

  it('gets back what a request held, once', () => {
    const budget = budgetOf('10b')
    const gone = budget.open()
    gone.add(10)
    gone.release()
    gone.release()
    gone.add(5)
    gone.release()
    budget.open().add(10)
    expect(() => budget.open().add(1)).toThrow('Data too large')
  })

  it('is a share of the memory that the node may take', () => {
    const settings = new Settings([
      ['memory.limit', '1000b'],
      [KEY, '50%'],
    ])
    expect(() => new BodyBudget(settings).open().add(501)).toThrow('limit of [500/500b]')
    new BodyBudget(settings).open().add(500)
    new BodyBudget(Settings.EMPTY).open().add(100 * 2 ** 20)
  })
})
