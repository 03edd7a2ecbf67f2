public import HTML

/// Chart of one quantity over a span of time, as SVG of classes and attributes alone.
///
/// Places on the time axis are fractions of the span, 0 to 1. Values are in the unit of the quantity. Sizes are bounded:
/// 400 columns or dots, and a few lines and marks. A value that is not finite is left out.
public struct Chart: Hashable, Sendable {
    /// Maximum number of columns or dots.
    public static let most = 400

    public struct Column: Hashable, Sendable {
        public let min, mean, max: Double

        public init(min: Double, mean: Double, max: Double) {
            (self.min, self.mean, self.max) = (min, mean, max)
        }

        fileprivate var isFinite: Bool { min.isFinite && mean.isFinite && max.isFinite }
    }

    public struct Dot: Hashable, Sendable {
        public let place, value: Double
        /// Drawn apart from the others.
        public let isDoubtful: Bool

        public init(place: Double, value: Double, isDoubtful: Bool = false) {
            (self.place, self.value, self.isDoubtful) = (place, value, isDoubtful)
        }
    }

    public enum Series: Hashable, Sendable {
        /// Columns of equal width from the begin to the end of the span; nil where nothing was measured.
        case columns([Column?])
        /// Single readings.
        case dots([Dot])
    }

    public struct Limit: Hashable, Sendable {
        public let value: Double
        public let label: String
        /// Not of an emergency.
        public let isWarning: Bool

        public init(_ value: Double, label: String, isWarning: Bool) {
            (self.value, self.label, self.isWarning) = (value, label, isWarning)
        }
    }

    public struct Tick: Hashable, Sendable {
        public let place: Double
        /// Place of the label, where it is not that of the line.
        public let labelPlace: Double
        public let label: String

        public init(at place: Double, labelAt labelPlace: Double? = nil, _ label: String) {
            (self.place, self.labelPlace, self.label) = (place, labelPlace ?? place, label)
        }
    }

    /// Names the chart for a reader that does not see it.
    public let title, description: String
    /// Prefix of the ids in the document: each chart of a page needs one of its own.
    public let id: String
    public let series: Series
    /// Usual values.
    public let band: ClosedRange<Double>?
    public let limits: [Limit]
    /// Places of alarms.
    public let alarms: [Double]
    public let ticks: [Tick]

    public init(
        id: String, title: String, description: String, series: Series, band: ClosedRange<Double>? = nil,
        limits: [Limit] = [], alarms: [Double] = [], ticks: [Tick] = []
    ) {
        (self.id, self.title, self.description) = (id, title, description)
        switch series {
        case .columns(let columns):
            self.series = .columns(columns.prefix(Self.most).map { $0?.isFinite == true ? $0 : nil })
        case .dots(let dots):
            self.series = .dots(
                dots.prefix(Self.most).filter { $0.value.isFinite && (0...1).contains($0.place) })
        }
        let isBandFinite = band.map { $0.lowerBound.isFinite && $0.upperBound.isFinite } ?? false
        self.band = isBandFinite ? band : nil
        self.limits = limits.filter(\.value.isFinite).prefix(8).sorted { $0.value < $1.value }
        self.alarms = Array(alarms.filter { (0...1).contains($0) }.prefix(20))
        self.ticks = Array(ticks.filter { (0...1).contains($0.place) }.prefix(32))
    }

    /// The drawing.
    ///
    /// - Parameter figure: a value of the axis in words of the reader's language.
    public func svg(figure: (Double) -> String) -> HTML {
        Drawing(self).svg(figure: figure)
    }
}

/// Chart in whole units of its view box.
private struct Drawing {
    private static let left = 116
    private static let right = 34
    private static let top = 48
    private static let height = 400
    /// Room for the labels of the time axis.
    private static let bottom = 56
    private static let fullWidth = 744
    /// Height of a letter: two labels nearer than this would overlap.
    private static let letter = 40

    private let chart: Chart
    private let scale: ValueScale
    private let step: Int
    private let width: Int

    init(_ chart: Chart) {
        self.chart = chart
        scale = ValueScale(chart)
        if case .columns(let columns) = chart.series, !columns.isEmpty {
            step = max(Self.fullWidth / columns.count, 1)
            width = step * columns.count
        } else {
            (step, width) = (1, Self.fullWidth)
        }
    }

    private var floor: Int { Self.top + Self.height }
    private var end: Int { Self.left + width }

    private func x(_ place: Double) -> Int { Self.left + Int((place * Double(width)).rounded()) }

    /// Values beyond the axis are drawn at its end.
    private func y(_ value: Double) -> Int {
        let share = min(max((value - scale.low) / (scale.high - scale.low), 0), 1)
        return floor - Int((share * Double(Self.height)).rounded())
    }

    func svg(figure: (Double) -> String) -> HTML {
        HTML(
            .svg, .set(.class, "chart"), .set(.role, "img"),
            .set(.viewBox, "0 0 \(end + Self.right) \(floor + Self.bottom)"),
            .set(.ariaLabelledby, "\(chart.id)-title \(chart.id)-desc"),
            content: HTML(.title, .set(.id, chart.id + "-title"), text: chart.title),
            HTML(.desc, .set(.id, chart.id + "-desc"), text: chart.description),
            HTML(
                .g, .set(.ariaHidden, "true"),
                content: usual, times, values(figure), series, limits, alarms))
    }

    private var usual: HTML {
        guard let band = chart.band else { return .none }
        let (low, high) = (y(band.lowerBound), y(band.upperBound))
        return HTML(
            .rect, .set(.class, "band"), .set(.x, Self.left), .set(.y, high), .set(.width, width),
            .set(.height, max(low - high, 2)), content: .none)
    }

    private var times: HTML {
        var lines = HTML.PathData()
        for tick in chart.ticks {
            lines.move(to: x(tick.place), Self.top)
            lines.vertical(to: floor)
        }
        let labels = chart.ticks.filter { !$0.label.isEmpty }.map { tick in
            HTML(
                .text, .set(.x, min(max(x(tick.labelPlace), Self.left), end)), .set(.y, floor + 44),
                .set(.textAnchor, "middle"), text: tick.label)
        }
        return path("grid", lines) + HTML(labels)
    }

    private func values(_ figure: (Double) -> String) -> HTML {
        var lines = HTML.PathData()
        let labels = scale.ticks.map { value in
            lines.move(to: Self.left, y(value))
            lines.horizontal(to: end)
            return HTML(
                .text, .set(.x, Self.left - 12), .set(.y, y(value) + 12), .set(.textAnchor, "end"),
                text: figure(value))
        }
        return path("grid", lines) + HTML(labels)
    }

    private var series: HTML {
        switch chart.series {
        case .columns(let columns): curve(columns)
        case .dots(let dots):
            path("dots", self.dots(dots.filter { !$0.isDoubtful }))
                + path("doubtful", crosses(dots.filter(\.isDoubtful)))
        }
    }

    private func curve(_ columns: [Chart.Column?]) -> HTML {
        var range = HTML.PathData()
        var mean = HTML.PathData()
        for (index, column) in columns.enumerated() {
            guard let column else { continue }
            let x = Self.left + index * step + step / 2
            range.move(to: x, y(column.min) + 1)
            range.vertical(to: y(column.max))
            let isFirst = index == 0 || columns[index - 1] == nil
            if isFirst { mean.move(to: x, y(column.mean)) } else { mean.line(to: x, y(column.mean)) }
            // A column alone has no neighbour to draw a line to.
            if isFirst, index + 1 == columns.count || columns[index + 1] == nil { mean.dot() }
        }
        return path(step > 2 ? "range wide" : "range", range) + path("mean", mean)
    }

    private func dots(_ dots: [Chart.Dot]) -> HTML.PathData {
        dots.reduce(into: HTML.PathData()) { data, dot in
            data.move(to: x(dot.place), y(dot.value))
            data.dot()
        }
    }

    /// Crosses, which differ from dots without a colour.
    private func crosses(_ dots: [Chart.Dot]) -> HTML.PathData {
        let arm = 9
        return dots.reduce(into: HTML.PathData()) { data, dot in
            let (x, y) = (x(dot.place), y(dot.value))
            data.move(to: x - arm, y - arm)
            data.line(to: x + arm, y + arm)
            data.move(to: x - arm, y + arm)
            data.line(to: x + arm, y - arm)
        }
    }

    /// A label that would cover another is left out, one of a warning first: the legend beside the chart has all of
    /// them.
    private var limits: HTML {
        let lines = chart.limits.map { limit in
            var line = HTML.PathData()
            line.move(to: Self.left, y(limit.value))
            line.horizontal(to: end)
            return path(limit.isWarning ? "limit warning" : "limit", line)
        }
        var taken: [Int] = []
        let labels = (chart.limits.filter { !$0.isWarning } + chart.limits.filter(\.isWarning)).map { limit in
            let y = y(limit.value)
            let place = y < Self.top + Self.letter ? y + Self.letter - 8 : y - 8
            guard taken.allSatisfy({ abs($0 - place) >= Self.letter }) else { return HTML.none }
            taken.append(place)
            return HTML(
                .text, .set(.class, limit.isWarning ? "limit warning" : "limit"), .set(.x, end - 6),
                .set(.y, place), .set(.textAnchor, "end"), text: limit.label)
        }
        return HTML(lines) + HTML(labels)
    }

    private var alarms: HTML {
        guard !chart.alarms.isEmpty else { return .none }
        var marks = HTML.PathData()
        for place in chart.alarms {
            marks.move(to: x(place) - 14, Self.top - 34)
            marks.horizontal(to: x(place) + 14)
            marks.line(to: x(place), Self.top - 6)
            marks.line(to: x(place) - 14, Self.top - 34)
            marks.move(to: x(place), Self.top - 6)
            marks.vertical(to: floor)
        }
        return path("alarms", marks)
    }

    private func path(_ kind: StaticString, _ data: HTML.PathData) -> HTML {
        data.isEmpty ? .none : HTML(.path, .set(.class, kind.description), .d(data), content: .none)
    }
}

/// Axis of values: from one round value to another, over all that is drawn.
struct ValueScale: Hashable {
    let low, high: Double
    let ticks: [Double]

    init(_ chart: Chart) {
        var all = chart.limits.map(\.value)
        if let band = chart.band { all += [band.lowerBound, band.upperBound] }
        switch chart.series {
        case .columns(let columns): for case let column? in columns { all += [column.min, column.max] }
        case .dots(let dots): all += dots.map(\.value)
        }
        self.init(from: all.min() ?? 0, to: all.max() ?? 1)
    }

    init(from least: Double, to most: Double) {
        // Far beyond any value of a body, where steps would lose their precision.
        let (least, most) = (max(least, -1_000_000), min(most, 1_000_000))
        let span = max(most - least, 1)
        let step = Self.roundStep(above: span / 5)
        low = (least / step).rounded(.down) * step
        high = max((most / step).rounded(.up) * step, low + step)
        let (low, count) = (low, Int(((high - low) / step).rounded()))
        ticks = (0...min(count, 8)).map { low + Double($0) * step }
    }

    /// The least of 1, 2 and 5 times a power of ten that is not below the given length.
    private static func roundStep(above length: Double) -> Double {
        var power = 0.1
        while power < 1_000_000 {
            for factor in [1.0, 2, 5] where power * factor >= length { return power * factor }
            power *= 10
        }
        return power
    }
}
