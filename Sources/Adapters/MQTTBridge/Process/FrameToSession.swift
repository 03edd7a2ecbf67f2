/// A message of the daemon to the process of its session.
enum FrameToSession {
    /// First, and once.
    case settings(BrokerSettings, subscriptions: [String])
    case attempt(BrokerEndpoint, BrokerConnection.Manner, will: Publication?)
    case publication(Publication)
    /// For the message that was handed over last.
    case receipt(InboundReceipt)
    /// Disconnect now; unacknowledged messages stay unacknowledged.
    case stop(forGood: Bool)

    var body: [UInt8] {
        var writer = FrameWriter()
        switch self {
        case .settings(let settings, let subscriptions):
            writer.number(UInt8(0))
            Self.write(settings, to: &writer)
            Self.write(subscriptions, to: &writer)
        case .attempt(let broker, let manner, let will):
            writer.number(UInt8(1))
            writer.text(broker.host)
            writer.number(broker.port)
            writer.flag(manner.version == .v5)
            writer.flag(manner.mayRetain)
            writer.flag(manner.checksDates)
            writer.optional(will) { $1.write(to: &$0) }
        case .publication(let publication):
            writer.number(UInt8(2))
            publication.write(to: &writer)
        case .receipt(let receipt):
            writer.number(UInt8(3))
            switch receipt {
            case .kept: writer.optional(String?.none) { $0.text($1) }
            case .notKept(let reason): writer.optional(reason) { $0.text($1) }
            }
        case .stop(let isForGood):
            writer.number(UInt8(4))
            writer.flag(isForGood)
        }
        return writer.body
    }

    /// Nil for a body that is none.
    init?(body: [UInt8]) {
        var reader = FrameReader(body)
        switch reader.number(UInt8.self) {
        case 0:
            let settings = Self.settings(from: &reader)
            self = .settings(settings, subscriptions: Self.filters(from: &reader))
        case 1:
            let broker = BrokerEndpoint(host: reader.text(), port: reader.number(UInt16.self))
            var manner = BrokerConnection.Manner()
            manner.version = reader.flag() ? .v5 : .v311
            manner.mayRetain = reader.flag()
            manner.checksDates = reader.flag()
            self = .attempt(broker, manner, will: reader.optional { Publication(from: &$0) } ?? nil)
        case 2:
            guard let publication = Publication(from: &reader) else { return nil }
            self = .publication(publication)
        case 3: self = .receipt(reader.optional { $0.text() }.map { .notKept(reason: $0) } ?? .kept)
        case 4: self = .stop(forGood: reader.flag())
        default: return nil
        }
        guard reader.isWhole else { return nil }
    }

    private static func write(_ settings: BrokerSettings, to writer: inout FrameWriter) {
        writer.text(settings.clientID)
        writer.duration(settings.keepAlive)
        writer.duration(settings.sessionExpiry)
        switch settings.security {
        case .plain: writer.flag(false)
        case .tls(let authority, let certificate, let key):
            writer.flag(true)
            writer.text(authority)
            writer.optional(certificate) { $0.text($1) }
            writer.optional(key) { $0.text($1) }
        }
        writer.optional(settings.credentials) {
            $0.text($1.user)
            $0.text($1.password)
        }
        Self.write(settings.fleetingFilters.sorted(), to: &writer)
        Self.write(settings.endedFilters, to: &writer)
    }

    private static func write(_ filters: [String], to writer: inout FrameWriter) {
        writer.number(UInt16(clamping: filters.count))
        for filter in filters { writer.text(filter) }
    }

    private static func filters(from reader: inout FrameReader) -> [String] {
        let count = reader.number(UInt16.self)
        return (0..<count).map { _ in reader.text() }
    }

    /// Without brokers and will: those come with each attempt.
    private static func settings(from reader: inout FrameReader) -> BrokerSettings {
        let clientID = reader.text()
        let (keepAlive, expiry) = (reader.duration(), reader.duration())
        let security: BrokerSettings.Security =
            reader.flag()
            ? .tls(
                caFile: reader.text(), certificateFile: reader.optional { $0.text() },
                keyFile: reader.optional { $0.text() })
            : .plain
        let credentials = reader.optional {
            BrokerSettings.Credentials(user: $0.text(), password: $0.text())
        }
        var settings = BrokerSettings(
            brokers: [], clientID: clientID, keepAlive: keepAlive, sessionExpiry: expiry, security: security,
            credentials: credentials)
        settings.fleetingFilters = Set(filters(from: &reader))
        settings.endedFilters = filters(from: &reader)
        return settings
    }
}
