import ControlContract
package import GatewayModel
package import Hub
package import Logging

/// Requests of a person about their own data: an export and an erasure, over all capabilities. The threads with the disks
/// answer them.
package final class PersonDataControl: Capability {
    private let holders: [any Capability]
    private let gateway: GatewayID
    private let log: Logger

    /// - Parameter holders: in the order in which their data is erased.
    package init(over holders: [any Capability], gateway: GatewayID, log: Logger) {
        (self.holders, self.gateway, self.log) = (holders, gateway, log)
    }

    package var controls: [ControlHandler] {
        [
            ControlHandler(Verb.MyData.self, showData),
            ControlHandler(Verb.EraseMyData.self, eraseData),
        ]
    }

    /// The person may have moved out: the data that was kept about them is still theirs.
    private func showData(_ request: Verb.MyData, _ reply: ControlAnswer<MyDataPage>) {
        let start = Int(max(request.start, 0))
        collect(holders[...], of: request.person, PersonData()) { [gateway] result in
            switch result {
            case .failure(let failure): reply(.refused(failure.description))
            case .success(let data):
                reply(.done(with: MyDataPage(from: start, of: data, gateway: gateway)))
            }
        }
    }

    /// Erases one store after the other; a failure is reported, and the others go on.
    private func eraseData(_ request: Verb.EraseMyData, _ reply: ControlAnswer<NoDocument>) {
        log.notice("the data of a person is erased", metadata: ["by": "\(request.caller.name)"])
        erase(holders[...], of: request.person, []) { steps in
            reply(ControlReply(isDone: steps.allSatisfy(\.isDone), lines: steps.map(\.line)))
        }
    }

    private func collect(
        _ holders: ArraySlice<any Capability>, of person: PersonID, _ data: PersonData,
        _ done: @escaping @Sendable (Result<PersonData, PersonDataFailure>) -> Void
    ) {
        guard let holder = holders.first else { return done(.success(data)) }
        holder.collectData(of: person, into: data) { [self] result in
            switch result {
            case .success(let data): collect(holders.dropFirst(), of: person, data, done)
            case .failure: done(result)
            }
        }
    }

    private func erase(
        _ holders: ArraySlice<any Capability>, of person: PersonID, _ steps: [ErasureStep],
        _ done: @escaping @Sendable ([ErasureStep]) -> Void
    ) {
        guard let holder = holders.first else { return done(steps) }
        holder.eraseData(of: person) { [self] erased in
            erase(holders.dropFirst(), of: person, steps + erased, done)
        }
    }
}
