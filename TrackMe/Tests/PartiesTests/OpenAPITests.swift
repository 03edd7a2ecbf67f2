import Desk
import Foundation
import GatewayModel
import Runs
import SiteSamples
import Store
import TestSupport
import Testing
import WebPages

/// The document of the API.
struct OpenAPITests {
    /// Operations of the document, such as `GET /health`.
    private static func operations(of document: String) -> [String] {
        var (found, path): ([String], Substring) = ([], "")
        for line in document.split(separator: "\n") {
            if let match = line.firstMatch(of: /^  (\/[^:\s]*):$/) {
                path = match.1
            } else if let match = line.firstMatch(of: /^    (get|post):$/) {
                found.append("\(match.1.uppercased()) \(path)")
            } else if line.hasPrefix("components:") {
                break
            }
        }
        return found
    }

    @Test func `the document of the API names exactly the operations of the API`() async throws {
        let site = try await PartySite()
        let document = try String(
            contentsOf: Repository.root.appending(path: "docs/api/openapi.yaml"), encoding: .utf8)
        let desk = HouseCallAPI(
            calls: DeskStore(
                file: site.trial.file, sealer: CallSealer(masterKey: [UInt8](repeating: 7, count: 32))!),
            tokens: HouseTokenStore(file: site.trial.file),
            hub: DeskHub { BootInstant(nanoseconds: 0) }, clock: site.trial.parts.clock)
        let parts = site.trial.parts
        let runs = RunPages(
            parts: parts,
            service: RunService(
                runs: RunStore(file: site.trial.file), fleets: parts.stores.fleets, signer: TrialSite.signer,
                issuer: IssuerID("trackme")!, operatorName: "Test clinic", clock: parts.clock),
            hub: RunHub())
        let ready = ReadyAPI(hub: DeskHub { BootInstant(nanoseconds: 0) }, clock: parts.clock)
        let routes = (site.trial.routes + desk.routes + runs.routes + ready.routes).filter { $0.style == .api }
            .map {
                "\($0.method.rawValue) \($0.pattern)"
            }
        #expect(Self.operations(of: document).sorted() == routes.sorted())
        let kinds = document.matches(of: /urn:trackme:problem:([a-z-]+)/).map { String($0.1) }
        #expect(Set(kinds) == Set(Problem.Kind.allCases.map(\.rawValue)))
    }
}
