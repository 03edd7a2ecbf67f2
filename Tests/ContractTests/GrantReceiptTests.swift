import Consent
import Contract
import ContractSamples
import GatewayModel
import ModelSamples
import Samples
import Testing

@Suite struct `The receipt of a grant that has ended` {
    @Test func `has the same id whenever it is told, and another for each ending`() throws {
        let ending = try #require(ContractMessages.endings.first)
        func id(_ ending: GrantEnding, after seconds: Double, in topics: Topics = Sample.topics) -> MessageID? {
            ReceiptClaims.ended(ending, at: Sample.moment(seconds).wall, topics: topics).id
        }
        // Told again after a restart, when the ledger has grown.
        let later = GrantEnding(
            grant: ending.grant, entry: ending.entry, remains: ending.remains,
            mark: LedgerMark(sequence: LedgerSequence(12), hash: String(repeating: "0b", count: 32)))
        #expect(id(ending, after: 1) == id(later, after: 500))
        let next = GrantEnding(
            grant: ending.grant, entry: ConsentEntry(LedgerSequence(11), ending.entry.decision),
            remains: ending.remains, mark: ending.mark)
        #expect(id(next, after: 1) != id(ending, after: 1))
        let elsewhere = Topics(gateway: GatewayID(sample: "house-13"))
        #expect(id(ending, after: 1, in: elsewhere) != id(ending, after: 1))
        #expect(id(ending, after: 1)?.wall == ending.entry.decision.at)
    }
}
