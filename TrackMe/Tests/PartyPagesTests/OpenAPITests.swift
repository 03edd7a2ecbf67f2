import DeskLite
import DeskPages
import DeskService
import Foundation
import GatewayModel
import SiteSamples
import TestSupport
import Testing
import WebPages

/// The document of the API.
struct OpenAPITests {
    @Test func `the document of the API names exactly the routes of the API`() async throws {
        let site = try await PartySite()
        let document = try String(
            contentsOf: Repository.root.appending(path: "docs/api/openapi.yaml"), encoding: .utf8)
        let paths = document.matches(of: /(?m)^  (\/[^:\s]*):$/).map { String($0.1) }
        let desk = HouseCallAPI(
            calls: DeskLite(file: site.trial.file), tokens: HouseTokensLite(file: site.trial.file),
            hub: DeskHub { BootInstant(nanoseconds: 0) }, clock: site.trial.parts.clock)
        let routes = Set((site.trial.routes + desk.routes).filter { $0.style == .api }.map(\.pattern))
        #expect(paths.sorted() == routes.sorted())
        let kinds = document.matches(of: /urn:trackme:problem:([a-z-]+)/).map { String($0.1) }
        #expect(Set(kinds) == Set(Problem.Kind.allCases.map(\.rawValue)))
    }
}
