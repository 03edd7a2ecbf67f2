import ArgumentParser
import ControlContract
import ControlLink
import ControlSocket
import GatewayModel
import Hub
import Vault

/// `homegateway my-data …`
struct MyDataCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "my-data",
        abstract: "Export all data about a person, or erase it.",
        discussion: "The running gateway, which has the keys, answers. The output is personal data.",
        subcommands: [MyDataExport.self, MyDataErase.self])
}

/// `homegateway my-data erase`
struct MyDataErase: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase",
        abstract: "Erase a person's measurements in this house.",
        discussion: """
            Erased: the history, unsent readings, records of alarms.
            Kept: the consent ledger, because each of its lines proves the line before
            it; records of open alarms, and calls for help that are being sent. Only
            the recipients can erase data that was sent. New readings are kept again;
            to end that, switch the history off and withdraw the data policy.
            """)

    @Option(name: .long, help: ArgumentHelp("The person, by the id in the settings.", valueName: "id"))
    var person: String

    @Flag(name: .long, help: "Do not ask for confirmation.")
    var yes = false

    @OptionGroup var gateway: GatewayOption
    @OptionGroup var who: WhoOption

    func run() throws {
        if !yes {
            guard Terminal.isInteractive else {
                SettingsOption.complain(
                    "the command cannot ask without a terminal; to erase all the same, add --yes")
                throw ExitCode(1)
            }
            guard Terminal.confirms("Erase the measurements of \(person)? They cannot be restored.") else {
                Shown.line("nothing was erased")
                throw ExitCode(1)
            }
        }
        try gateway.ask(try Verb.EraseMyData(person: person, by: who.name))
        Shown.line("the consent ledger stays: it holds decisions and no measurements")
    }
}

/// `homegateway my-data export`
struct MyDataExport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write all data about a person into a new folder.",
        discussion: """
            It writes JSON, CSV, and one FHIR R4 Bundle. Only the user who runs the command
            can read the folder.
            """)

    @Option(name: .long, help: ArgumentHelp("The person, by the id in the settings.", valueName: "id"))
    var person: String

    @Option(name: .long, help: ArgumentHelp("The folder. It must not exist yet.", valueName: "folder"))
    var to: String

    @OptionGroup var gateway: GatewayOption

    func run() throws {
        guard let id = PersonID(person) else {
            throw ValidationError("--person: '\(person)' is no id; expected \(PersonID.form)")
        }
        let source = MyDataSource(person: id, socket: gateway.place)
        do {
            // Before the folder: a gateway that does not answer leaves no empty folder behind.
            let first = try source.page(from: 0)
            let folder = try ExportFolder(at: to)
            var export = PersonExport(id, of: try first.gatewayID, from: source, into: folder)
            for line in try export.write(beginningWith: first) { Shown.line(line) }
        } catch let error as ControlError {
            SettingsOption.complain(error.description)
            throw ExitCode(1)
        } catch let error as ExportFolder.Failure {
            SettingsOption.complain(error.description)
            throw ExitCode(1)
        }
    }
}

/// Client that reads the data about one person from the running gateway, one page at a time.
struct MyDataSource {
    let person: PersonID
    let socket: GatewaySocket

    func page(from start: Int64) throws -> MyDataPage {
        let reply = try ask(Verb.MyData(person: person, from: start))
        guard let page = reply.document else { throw Self.refusal(reply) }
        return page
    }

    /// Returns every point of one kind, by time.
    func points(of kind: QuantityKind, _ resolution: HistoryResolution) -> Points {
        Points(source: self, kind: kind, resolution: resolution)
    }

    /// Returns one page of the history.
    fileprivate func history(
        of kind: QuantityKind, _ resolution: HistoryResolution, from start: Int64
    ) throws -> HistoryPage {
        let reply = try ask(historyRequest(of: .quantity(kind), resolution, from: start))
        guard case .history(let page) = reply.document else { throw Self.refusal(reply) }
        return page
    }

    /// Calls `body` with every position, by time.
    ///
    /// - Returns: the number of rows that could not be read.
    func forEachLocation(_ body: (LocationPoint) throws -> Void) throws -> Int {
        var unreadable = 0
        var next: Int64? = Self.times.lowerBound
        while let start = next {
            let reply = try ask(historyRequest(of: .location, nil, from: start))
            guard case .locations(let page) = reply.document else { throw Self.refusal(reply) }
            try page.points.forEach(body)
            unreadable += page.unreadable
            next = page.next
        }
        return unreadable
    }

    private func historyRequest(
        of kind: DataKind, _ resolution: HistoryResolution?, from start: Int64
    ) -> Verb.History {
        Verb.History(
            person: person, kind: kind, from: WallTime(millisecondsSince1970: start),
            to: WallTime(millisecondsSince1970: Self.times.upperBound), resolution: resolution)
    }

    /// All times that a history can hold, including times from a clock that was wrong by decades.
    fileprivate static let times = Int64.min / 4...Int64.max / 4

    private func ask<Request: ControlVerb>(_ request: Request) throws -> ControlReply<Request.Document> {
        var client = try socket.client()
        return try client.ask(request)
    }

    private static func refusal(_ reply: ControlReply<some ControlDocument>) -> ControlError {
        ControlError(reply.lines.joined(separator: "\n"))
    }

    /// Sequence of points that holds one page in memory.
    struct Points {
        fileprivate let source: MyDataSource
        let kind: QuantityKind
        fileprivate let resolution: HistoryResolution
        private var page: ArraySlice<HistoryPoint> = []
        private var start: Int64? = MyDataSource.times.lowerBound
        /// Number of rows that could not be read so far.
        private(set) var unreadable = 0

        fileprivate init(source: MyDataSource, kind: QuantityKind, resolution: HistoryResolution) {
            (self.source, self.kind, self.resolution) = (source, kind, resolution)
        }

        mutating func next() throws -> HistoryPoint? {
            while page.isEmpty, let from = start {
                let fetched = try source.history(of: kind, resolution, from: from)
                page = fetched.points[...]
                start = fetched.next
                unreadable += fetched.unreadable
            }
            return page.popFirst()
        }
    }
}
