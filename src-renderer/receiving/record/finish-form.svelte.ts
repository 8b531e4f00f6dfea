import type { Client } from '../../../src-shared/ipc/client'
import type { RecordAbout } from '../../../src-shared/ipc/contract/record'
import { type Faults, Form } from '../../ui/form.svelte'
import { nameFault } from '../../ui/name-fault'
import type { DeliverySteps } from '../delivery-steps.svelte'
import type { Delivery } from '../delivery.svelte'

type Fields = Record<keyof RecordAbout, string>

interface FinishParts {
  delivery: Pick<Delivery, 'head'>
  steps: Pick<DeliverySteps, 'finish'>
}

const empty: Fields = { receivedBy: '', shippedBy: '', driver: '', manifestNumber: '' }

/** What is entered when a delivery is finished. All of it is optional, so nothing waits for what main offers. */
export class FinishForm extends Form<Fields> {
  /** People who may have received it. */
  names = $state.raw<string[]>([])
  /** Other stations of the store that may have something of the delivery that isn't here. */
  behind = $state.raw<string[]>([])
  /** How many differences of its counts aren't settled. */
  differences = $state(0)
  readonly #client: Client
  readonly #head: () => Delivery['head']

  constructor(client: Client, { delivery, steps }: FinishParts) {
    super({ empty, check: faultsOf, save: (values) => steps.finish(aboutOf(values)) })
    this.#client = client
    this.#head = () => delivery.head
  }

  /** Shows what main offers: as the last time for this delivery, else the name that was entered last. */
  async offer(): Promise<void> {
    const deliveryId = this.#head()?.id
    if (deliveryId === undefined) return
    const answer = await this.#client.call('receiving.finishing', { deliveryId })
    if (!answer.ok) return
    const { about, names, behind, differences } = answer.value
    this.names = names
    this.behind = behind
    this.differences = differences
    const { receivedBy, shippedBy, driver, manifestNumber } = about
    this.show({
      receivedBy: receivedBy ?? '',
      shippedBy: shippedBy ?? '',
      driver: driver ?? '',
      manifestNumber: manifestNumber ?? '',
    })
  }
}

const faultsOf = ({ receivedBy, shippedBy, driver }: Fields): Faults<Fields> => ({
  receivedBy: nameFault(receivedBy, 80),
  shippedBy: nameFault(shippedBy, 120),
  driver: nameFault(driver, 80),
})

const aboutOf = ({ receivedBy, shippedBy, driver, manifestNumber }: Fields): RecordAbout => ({
  receivedBy: receivedBy || null,
  shippedBy: shippedBy || null,
  driver: driver || null,
  manifestNumber: manifestNumber || null,
})
