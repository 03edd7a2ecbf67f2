package import GatewayModel
package import HTML

/// Part of a run that a race page shows: the view, the runners that are looked for, and the first row.
package struct RaceChoice: Hashable, Sendable {
    package enum View: String, CaseIterable, Hashable, Sendable {
        /// List and map.
        case list
        case runner
        /// Board of the announcer.
        case board
        /// For organisers.
        case boxes, results, corrections

        /// Whether only an organiser sees it.
        package var isOfOrganiser: Bool {
            switch self {
            case .list, .runner, .board: false
            case .boxes, .results, .corrections: true
            }
        }

        /// Whether the page follows the race by itself. A page with forms or for paper stays as it is.
        package var isLive: Bool {
            switch self {
            case .list, .runner, .board, .boxes: true
            case .results, .corrections: false
            }
        }

        package var place: HTML.Place {
            switch self {
            case .list: Pages.Route.run
            case .runner: Pages.Route.runner
            case .board: Pages.Route.board
            case .boxes: Pages.Route.boxes
            case .results: Pages.Route.results
            case .corrections: Pages.Route.corrections
            }
        }
    }

    /// Rows of one page.
    static let rows = 50
    /// Maximum number of characters of a search and of a category.
    private static let length = 40

    package let run: RunID
    package let view: View
    package let bib: Bib?
    /// Bib or part of a name.
    package let text: String
    /// Empty for all.
    package let category: String
    let first: Int

    /// Nil for a query that no page links to.
    ///
    /// - Parameter query: `run`, `bib`, `find`, `category` and `first`.
    package init?(_ query: [String: String], view: View) {
        guard let run = query["run"].flatMap({ RunID($0) }) else { return nil }
        let bib = query["bib"].flatMap { Int($0) }.flatMap { Bib($0) }
        guard view != .runner || bib != nil else { return nil }
        let text = String((query["find"] ?? "").prefix(Self.length))
        self.init(
            run: run, view: view, bib: bib, text: String(text.drop(while: \.isWhitespace)),
            category: String((query["category"] ?? "").prefix(Self.length)),
            first: min(max(query["first"].flatMap { Int($0) } ?? 0, 0), 100_000))
    }

    package init(
        run: RunID, view: View, bib: Bib? = nil, text: String = "", category: String = "", first: Int = 0
    ) {
        (self.run, self.view, self.bib, self.text) = (run, view, bib, text)
        (self.category, self.first) = (category, first)
    }

    func showing(_ view: View, of bib: Bib? = nil) -> RaceChoice {
        RaceChoice(run: run, view: view, bib: bib)
    }

    func from(_ first: Int) -> RaceChoice {
        RaceChoice(run: run, view: view, bib: bib, text: text, category: category, first: first)
    }

    package var link: HTML.Place { fields(view.place) }

    /// Place of the events of a live page.
    var stream: HTML.Place { fields(Pages.Route.raceStream).with("view", view.rawValue) }

    private func fields(_ place: HTML.Place) -> HTML.Place {
        var place = place.with("run", run.text)
        if let bib { place = place.with("bib", "\(bib)") }
        if !text.isEmpty { place = place.with("find", text) }
        if !category.isEmpty { place = place.with("category", category) }
        return first == 0 ? place : place.with("first", "\(first)")
    }
}
