#include "base/distributions.hpp"

// Boost's templates take seconds to compile: no other file includes them.
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/fisher_f.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>

namespace glassworks { inline namespace base {

using boost::math::cdf;
using boost::math::complement;
using boost::math::quantile;

double student_tail(double nu, double x) { return cdf(complement(boost::math::students_t(nu), x)); }
double student_quantile(double nu, double p) { return quantile(complement(boost::math::students_t(nu), p)); }

double chi_squared_tail(double n, double x) { return cdf(complement(boost::math::chi_squared(n), x)); }
double chi_squared_quantile(double n, double p) { return quantile(complement(boost::math::chi_squared(n), p)); }

double fisher_tail(double n, double m, double x) { return cdf(complement(boost::math::fisher_f(n, m), x)); }
double fisher_quantile(double n, double m, double p) { return quantile(complement(boost::math::fisher_f(n, m), p)); }

double normal_quantile(double p) { return quantile(complement(boost::math::normal(), p)); }

double binomial_tail(double n, double rate, double x) { return cdf(complement(boost::math::binomial(n, rate), x)); }

}}  // namespace glassworks::base
