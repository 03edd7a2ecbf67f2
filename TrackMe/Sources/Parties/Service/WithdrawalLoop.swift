import Background
public import Logging
public import ServiceLifecycle

/// Withdraws the grants of closed companies in the houses. The operator's act is a row of the database, made by another
/// process; this loop finds it.
public struct WithdrawalLoop: Service {
    private static let interval = Duration.seconds(1)

    private let requests: RequestService
    private let operatorName: String
    private let logger: Logger

    public init(requests: RequestService, operatorName: String, logger: Logger) {
        (self.requests, self.operatorName, self.logger) = (requests, operatorName, logger)
    }

    public func run() async throws {
        await Rounds(every: Self.interval, "grants of closed companies are not withdrawn", logger: logger).run {
            let count = try await requests.withdrawOwed(by: operatorName)
            guard count > 0 else { return }
            logger.notice("requests of closed companies were ended", metadata: ["count": "\(count)"])
        }
    }
}
